import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { ApiError } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { tellPageApiError } from '../notifications/page-error.ts'
import { unknownApiError } from '../api-errors.ts'
import { backoff } from '../backoff.ts'
import { type Listing, pageCount, pageOf, withPages } from './listing.ts'
import { type PagesReply, type PagesRequest, answeredIn, apiErrorIn } from './pages.ts'
import type { StreamsQuery } from './preferences.ts'

export type PagingEvent =
  | { type: 'rows.viewed'; first: number; last: number }
  | { type: 'query.changed'; query: StreamsQuery }
  | { type: 'pages.retried' }

export interface PagingContext {
  readonly query: StreamsQuery
  /** Null until the server has answered once; kept while another query is loading. */
  readonly listing: Listing | null
  readonly isOutdated: boolean
  readonly sight: { readonly first: number; readonly last: number }
  readonly batch: readonly number[]
  readonly apiError: ApiError | null
}

const maxConcurrent = 3

function missingPages({
  listing,
  isOutdated,
  sight,
}: Pick<PagingContext, 'listing' | 'isOutdated' | 'sight'>): number[] {
  if (listing === null || isOutdated) return [1]
  const [from, to] = [
    pageOf(listing, sight.first),
    Math.min(pageCount(listing), pageOf(listing, Math.max(sight.first, sight.last - 1))),
  ]
  const seen = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  return seen.filter((page) => listing.pages[page] === undefined).slice(0, maxConcurrent)
}

/**
 * A long list of streams in rows of one height: the pages of the rows in sight are asked for, where a scroll rests and
 * not for all that it passes. Another query is asked once the typing rests; until it is answered the old list stays.
 */
export const pagingMachine = setup({
  types: { context: {} as PagingContext, events: {} as PagingEvent, input: {} as { query: StreamsQuery } },
  actors: { fetchPages: fromPromise<PagesReply, PagesRequest>(notProvided) },
  actions: {
    setSight: assign((_args, sight: { first: number; last: number }) => ({ sight })),
    takeQuery: assign((_args, { query }: { query: StreamsQuery }) => ({ query, isOutdated: true })),
    chooseBatch: assign(({ context }) => ({ batch: missingPages(context) })),
    take: assign(({ context }, { answers }: { answers: PagesReply }) => {
      const answered = answeredIn(answers)
      if (answered.length === 0) return {}
      return {
        listing: withPages(context.isOutdated ? null : context.listing, answered, context.query),
        isOutdated: false,
      }
    }),
    refuse: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError | null }) => {
      enqueue.assign({ apiError })
      tellPageApiError({ enqueue, system }, apiError, context.apiError)
    }),
  },
  guards: {
    isOther: ({ context }, { query }: { query: StreamsQuery }) =>
      JSON.stringify(query) !== JSON.stringify(context.query),
    isComplete: ({ context }) => missingPages(context).length === 0,
    lacksPages: ({ context }, sight: { first: number; last: number }) => missingPages({ ...context, sight }).length > 0,
    isBatchPast: ({ context }, sight: { first: number; last: number }) => {
      const wanted = missingPages({ ...context, sight })
      return !context.batch.some((page) => wanted.includes(page))
    },
    isRefused: (_args, { answers }: { answers: PagesReply }) => apiErrorIn(answers) !== null,
  },
  delays: {
    rest: 200,
    settle: 80,
    retryPause: ({ context }) => backoff(1, { least: 2000, most: 2000 }, context.apiError),
  },
}).createMachine({
  id: 'paging',
  context: ({ input }) => ({
    query: input.query,
    listing: null,
    isOutdated: false,
    sight: { first: 0, last: 0 },
    batch: [],
    apiError: null,
  }),
  initial: 'loading',
  on: {
    'rows.viewed': { actions: { type: 'setSight', params: ({ event }) => event } },
    'query.changed': {
      guard: { type: 'isOther', params: ({ event }) => event },
      target: '.typing',
      reenter: true,
      actions: { type: 'takeQuery', params: ({ event }) => event },
    },
  },
  states: {
    typing: { tags: 'busy', after: { rest: 'loading' } },
    loading: {
      tags: 'busy',
      entry: 'chooseBatch',
      invoke: {
        id: 'fetchPages',
        src: 'fetchPages',
        input: ({ context }) => ({ query: context.query, pages: context.batch }),
        onDone: [
          {
            guard: { type: 'isRefused', params: ({ event }) => ({ answers: event.output }) },
            target: 'failed',
            actions: [
              { type: 'take', params: ({ event }) => ({ answers: event.output }) },
              { type: 'refuse', params: ({ event }) => ({ apiError: apiErrorIn(event.output) }) },
            ],
          },
          {
            target: 'choosing',
            actions: [
              { type: 'take', params: ({ event }) => ({ answers: event.output }) },
              { type: 'refuse', params: { apiError: null } },
            ],
          },
        ],
        onError: { target: 'failed', actions: { type: 'refuse', params: { apiError: unknownApiError } } },
      },
      on: {
        'rows.viewed': [
          {
            guard: { type: 'isBatchPast', params: ({ event }) => event },
            target: 'settling',
            actions: { type: 'setSight', params: ({ event }) => event },
          },
          { actions: { type: 'setSight', params: ({ event }) => event } },
        ],
      },
    },
    choosing: { always: [{ guard: 'isComplete', target: 'settled' }, { target: 'loading' }] },
    settled: {
      on: {
        'rows.viewed': [
          {
            guard: { type: 'lacksPages', params: ({ event }) => event },
            target: 'settling',
            actions: { type: 'setSight', params: ({ event }) => event },
          },
          { actions: { type: 'setSight', params: ({ event }) => event } },
        ],
      },
    },
    settling: { after: { settle: 'choosing' } },
    failed: { tags: 'error', after: { retryPause: 'loading' }, on: { 'pages.retried': 'loading' } },
  },
})
