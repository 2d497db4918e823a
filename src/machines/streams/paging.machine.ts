import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { ApiError } from '../../api/reply.ts'
import { backoff } from '../backoff.ts'
import { notProvided } from '../not-provided.ts'
import { notifyPageApiError } from '../notifications/page-error.ts'
import { pageCount, pageOf } from './listing.ts'
import type { PagesReply, PagesRequest } from './pages.ts'
import { type PagingFacts, isBatchObsolete, pagingStates, withAnswers } from './paging-states.ts'
import type { StreamsQuery } from './preferences.ts'

export type PagingEvent =
  /** The rows from `first` to `last`, exclusive, are in sight. */
  | { type: 'rows.viewed'; first: number; last: number }
  | { type: 'query.changed'; query: StreamsQuery }
  | { type: 'list.retried' }

export interface PagingContext extends PagingFacts {
  readonly query: StreamsQuery
  readonly rowsInSight: { readonly first: number; readonly last: number }
}

const maxConcurrent = 3

/** The pages to fetch: page 1 for a new query, else those in sight that aren't loaded. */
function missingPages({
  listing,
  isOutdated,
  rowsInSight: { first, last },
}: Pick<PagingContext, 'listing' | 'isOutdated' | 'rowsInSight'>): number[] {
  if (listing === null || isOutdated) return [1]
  const from = pageOf(listing, first)
  const to = Math.min(pageCount(listing), pageOf(listing, Math.max(first, last - 1)))
  const pagesInSight = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  return pagesInSight.filter((page) => listing.pages[page] === undefined).slice(0, maxConcurrent)
}

/**
 * A long list of streams in rows of one height: fetches the pages in sight. Another query is sent after a pause in
 * typing; the old list stays until the answer.
 */
export const pagingMachine = setup({
  types: { context: {} as PagingContext, events: {} as PagingEvent, input: {} as { query: StreamsQuery } },
  actors: { fetchPages: fromPromise<PagesReply, PagesRequest>(notProvided) },
  actions: {
    assignRowsInSight: assign((_args, { first, last }: { first: number; last: number }) => ({
      rowsInSight: { first, last },
    })),
    assignQuery: assign((_args, { query }: { query: StreamsQuery }) => ({ query, isOutdated: true, attempts: 0 })),
    chooseBatch: assign(({ context }) => ({ batch: missingPages(context) })),
    assignPages: assign(({ context }, { answers }: { answers: PagesReply }) =>
      withAnswers(context, answers, context.query),
    ),
    handleApiError: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError | null }) => {
      enqueue.assign({ apiError, attempts: context.attempts + 1 })
      notifyPageApiError({ enqueue, system }, apiError, context.apiError)
    }),
    forgetApiError: assign({ apiError: null, attempts: 0 }),
    forgetAttempts: assign({ attempts: 0 }),
  },
  guards: {
    isOtherQuery: ({ context }, { query }: { query: StreamsQuery }) =>
      JSON.stringify(query) !== JSON.stringify(context.query),
    isComplete: ({ context }) => missingPages(context).length === 0,
    lacksPages: ({ context }) => missingPages(context).length > 0,
    isBatchObsolete: ({ context }) => isBatchObsolete(context, missingPages(context)),
  },
  delays: {
    typingPause: 200,
    scrollPause: 80,
    retryPause: ({ context }) => backoff(context.attempts, { minMs: 2000, maxMs: 60_000 }, context.apiError),
  },
}).createMachine({
  id: 'paging',
  context: ({ input }) => ({
    query: input.query,
    listing: null,
    isOutdated: false,
    rowsInSight: { first: 0, last: 0 },
    batch: [],
    apiError: null,
    attempts: 0,
  }),
  initial: 'loading',
  on: {
    'rows.viewed': { actions: { type: 'assignRowsInSight', params: ({ event }) => event } },
    'query.changed': {
      guard: { type: 'isOtherQuery', params: ({ event }) => event },
      target: '.typing',
      reenter: true,
      actions: { type: 'assignQuery', params: ({ event }) => event },
    },
  },
  states: {
    typing: { tags: 'busy', after: { typingPause: 'loading' } },
    ...pagingStates(({ query }: PagingContext) => query),
  },
})
