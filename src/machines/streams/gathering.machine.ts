import { assign, fromPromise, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { ApiError } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { raiseFault, unknownApiError } from '../api-errors.ts'
import { type Listing, pageCount, loadedStreams } from './listing.ts'
import { type PagesReply, type PagesRequest, answeredIn, apiErrorIn } from './pages.ts'
import type { StreamsQuery } from './preferences.ts'

interface EntryRange {
  readonly first: number
  readonly count: number
}

/** The streams of the loaded pages of `listing` needn't be fetched. */
export interface GatheringInput {
  readonly query: StreamsQuery
  readonly listing: Listing
  /** The entries of the list that are gathered; without it, all. Those of loaded pages are left out. */
  readonly range?: EntryRange
}

export interface GatheringContext {
  readonly query: StreamsQuery
  readonly pageSize: number
  readonly range: EntryRange | undefined
  /** By uid. */
  readonly gathered: ReadonlyMap<string, Stream>
  /** The numbers of the pages still to be fetched. */
  readonly pagesLeft: readonly number[]
  /** How many streams the list has. */
  readonly total: number
  readonly apiError: ApiError | null
}

const maxConcurrent = 4

const byUid = (streams: readonly Stream[]) => streams.map((stream) => [stream.uid, stream] as const)

const missingPages = (listing: Listing): number[] =>
  Array.from({ length: pageCount(listing) }, (_, index) => index + 1).filter(
    (page) => listing.pages[page] === undefined,
  )

const isWithin = (index: number, range: EntryRange | undefined) =>
  range === undefined || (index >= range.first && index < range.first + range.count)

const isPageWithin = (page: number, { pageSize }: Listing, { first, count }: EntryRange) =>
  page * pageSize > first && (page - 1) * pageSize < first + count

/**
 * Gathers all streams of a query: those of the loaded pages, and those of the other pages, which it fetches four at a
 * time. Each page is requested once, and none after an empty one, so that gathering ends even if the list changes
 * meanwhile.
 */
export const gatheringMachine = setup({
  types: {
    context: {} as GatheringContext,
    input: {} as GatheringInput,
    output: {} as { streams: readonly Stream[]; apiError: ApiError | null },
  },
  actors: { fetchPages: fromPromise<PagesReply, PagesRequest>(notProvided) },
  actions: {
    assignPages: assign(({ context }, { answers }: { answers: PagesReply }) => {
      const answered = answeredIn(answers)
      const requested = new Set(answers.map(({ page }) => page))
      const isPastEnd = answered.some(({ answer }) => answer.items.length === 0)
      const { pageSize, range } = context
      const found = answered.flatMap(({ page, answer }) =>
        answer.items.filter((_stream, index) => isWithin((page - 1) * pageSize + index, range)),
      )
      return {
        gathered: new Map([...context.gathered, ...byUid(found)]),
        pagesLeft: isPastEnd ? [] : context.pagesLeft.filter((page) => !requested.has(page)),
      }
    }),
    assignApiError: assign((_args, { apiError }: { apiError: ApiError | null }) => ({ apiError })),
  },
  guards: {
    isComplete: ({ context }) => context.pagesLeft.length === 0,
    isRefused: (_args, { answers }: { answers: PagesReply }) => apiErrorIn(answers) !== null,
  },
}).createMachine({
  id: 'gathering',
  context: ({ input: { query, listing, range } }) => ({
    query,
    pageSize: listing.pageSize,
    range,
    gathered: new Map(range === undefined ? byUid(loadedStreams(listing)) : []),
    pagesLeft: missingPages(listing).filter((page) => range === undefined || isPageWithin(page, listing, range)),
    total: range?.count ?? listing.total,
    apiError: null,
  }),
  output: ({ context }) => ({ streams: [...context.gathered.values()], apiError: context.apiError }),
  initial: 'choosing',
  states: {
    choosing: { always: [{ guard: 'isComplete', target: 'ended' }, { target: 'fetching' }] },
    fetching: {
      invoke: {
        id: 'fetchPages',
        src: 'fetchPages',
        input: ({ context }) => ({ query: context.query, pages: context.pagesLeft.slice(0, maxConcurrent) }),
        onDone: [
          {
            guard: { type: 'isRefused', params: ({ event }) => ({ answers: event.output }) },
            target: 'ended',
            actions: { type: 'assignApiError', params: ({ event }) => ({ apiError: apiErrorIn(event.output) }) },
          },
          { target: 'choosing', actions: { type: 'assignPages', params: ({ event }) => ({ answers: event.output }) } },
        ],
        onError: { target: 'ended', actions: { type: 'assignApiError', params: { apiError: unknownApiError } } },
      },
    },
    ended: { type: 'final' },
  },
})

type Gathered = { event: { output: { apiError: ApiError | null } } }

/** The transition of `bulk` after gathering was refused: back to choosing, with a toast. */
export const gatheringRefused = {
  guard: { type: 'isRefused', params: ({ event }: Gathered) => event.output },
  target: 'choosing',
  actions: {
    type: 'raiseApiError',
    params: ({ event }: Gathered) => ({ apiError: event.output.apiError ?? unknownApiError }),
  },
} as const

/** The same after the actor threw. */
export const gatheringBroken = {
  target: 'choosing',
  actions: raiseFault,
} as const
