import { assign, fromPromise, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { ApiError } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { raiseFault, unknownApiError } from '../api-errors.ts'
import { type Listing, pageCount, knownStreams } from './listing.ts'
import { type PagesReply, type PagesRequest, answeredIn, apiErrorIn } from './pages.ts'
import type { StreamsQuery } from './preferences.ts'

export interface GatheringInput {
  readonly query: StreamsQuery
  readonly listing: Listing
}

export interface GatheringContext {
  readonly query: StreamsQuery
  readonly found: ReadonlyMap<string, Stream>
  /** Numbers of the pages still to be fetched. */
  readonly left: readonly number[]
  readonly total: number
  readonly apiError: ApiError | null
}

const maxConcurrent = 4

const byUid = (streams: readonly Stream[]) => streams.map((stream) => [stream.uid, stream] as const)

const pagesLeft = (listing: Listing): number[] =>
  Array.from({ length: pageCount(listing) }, (_, index) => index + 1).filter(
    (page) => listing.pages[page] === undefined,
  )

/**
 * Fetches all streams of a query, including pages that the list hasn't loaded, four at a time. Each page is requested
 * once and none beyond the end, so that gathering ends even if the list changes meanwhile.
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
      return {
        found: new Map([...context.found, ...answered.flatMap(({ answer }) => byUid(answer.items))]),
        left: isPastEnd ? [] : context.left.filter((page) => !requested.has(page)),
      }
    }),
    assignApiError: assign((_args, { apiError }: { apiError: ApiError | null }) => ({ apiError })),
  },
  guards: {
    isComplete: ({ context }) => context.left.length === 0,
    isRefused: (_args, { answers }: { answers: PagesReply }) => apiErrorIn(answers) !== null,
  },
}).createMachine({
  id: 'gathering',
  context: ({ input: { query, listing } }) => ({
    query,
    found: new Map(byUid(knownStreams(listing))),
    left: pagesLeft(listing),
    total: listing.total,
    apiError: null,
  }),
  output: ({ context }) => ({ streams: [...context.found.values()], apiError: context.apiError }),
  initial: 'choosing',
  states: {
    choosing: { always: [{ guard: 'isComplete', target: 'ended' }, { target: 'fetching' }] },
    fetching: {
      invoke: {
        id: 'fetchPages',
        src: 'fetchPages',
        input: ({ context }) => ({ query: context.query, pages: context.left.slice(0, maxConcurrent) }),
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

/** The transition after gathering was refused: back to choosing, with a toast. */
export const gatheringRefused = {
  guard: { type: 'isRefused', params: ({ event }: Gathered) => event.output },
  target: 'choosing',
  actions: {
    type: 'raiseApiError',
    params: ({ event }: Gathered) => ({ apiError: event.output.apiError ?? unknownApiError }),
  },
} as const

export const gatheringBroken = {
  target: 'choosing',
  actions: raiseFault,
} as const
