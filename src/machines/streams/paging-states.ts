import type { ApiError } from '../../api/reply.ts'
import { unknownApiError } from '../api-errors.ts'
import { type Listing, withPages } from './listing.ts'
import { type PagesReply, answeredIn, apiErrorIn } from './pages.ts'
import type { StreamsQuery } from './preferences.ts'

export interface PagingFacts {
  /** Null until the server has answered once; kept while another query is loading. */
  listing: Listing | null
  isOutdated: boolean
  /** The pages of the request in progress. */
  batch: readonly number[]
  apiError: ApiError | null
  attempts: number
}

interface Answered {
  event: { output: PagesReply }
}

const assignAnswers = {
  type: 'assignPages',
  params: ({ event }: Answered) => ({ answers: event.output }),
} as const

/**
 * Fetches the pages of a long list that are in sight, a few at a time. A request is aborted once all its pages are out
 * of sight. Scrolling requests pages only once it rests. After a failure the list stays, and the request is repeated
 * with growing pauses. The machine that uses these states has the actions, guards, delays and `fetchPages`.
 */
export const pagingStates = <Context extends PagingFacts>(queryOf: (context: Context) => StreamsQuery) =>
  ({
    loading: {
      tags: 'busy',
      entry: 'chooseBatch',
      always: { guard: 'isBatchPast', target: 'settling' },
      invoke: {
        id: 'fetchPages',
        src: 'fetchPages',
        input: ({ context }: { context: Context }) => ({ query: queryOf(context), pages: context.batch }),
        onDone: [
          {
            guard: ({ event }: Answered) => apiErrorIn(event.output) !== null,
            target: 'failed',
            actions: [
              assignAnswers,
              { type: 'handleApiError', params: ({ event }: Answered) => ({ apiError: apiErrorIn(event.output) }) },
            ],
          },
          { target: 'choosing', actions: [assignAnswers, 'forgetApiError'] },
        ],
        onError: { target: 'failed', actions: { type: 'handleApiError', params: { apiError: unknownApiError } } },
      },
    },
    choosing: {
      always: [{ guard: 'isComplete', target: 'settled', actions: 'forgetApiError' }, { target: 'loading' }],
    },
    /** Scrolling, another view or a list of another length may need more pages. */
    settled: { always: { guard: 'lacksPages', target: 'settling' } },
    settling: { after: { scrollPause: 'choosing' } },
    failed: {
      tags: 'error',
      after: { retryPause: 'choosing' },
      on: { 'list.retried': { target: 'choosing', actions: 'forgetAttempts' } },
    },
  }) as const

/** Adds answers to the listing, or replaces an outdated one; unchanged without an answer. */
export function withAnswers(
  { isOutdated, listing }: Pick<PagingFacts, 'isOutdated' | 'listing'>,
  answers: PagesReply,
  query: StreamsQuery,
): Partial<PagingFacts> {
  const answered = answeredIn(answers)
  if (answered.length === 0) return {}
  return { listing: withPages(isOutdated ? null : listing, answered, query), isOutdated: false }
}

/** Whether no page of the request in progress is needed any more. */
export const isPast = ({ batch }: Pick<PagingFacts, 'batch'>, needed: readonly number[]): boolean =>
  !batch.some((page) => needed.includes(page))
