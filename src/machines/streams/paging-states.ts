import type { ApiError } from '../../api/reply.ts'
import { unknownApiError } from '../api-errors.ts'
import { type Listing, withPages } from './listing.ts'
import { type PagesReply, answeredIn, apiErrorIn } from './pages.ts'
import type { StreamsQuery } from './preferences.ts'

/** The part of a machine's context that these states use. */
export interface PagingFacts {
  /** Null until the server has answered once; kept while another query is loading. */
  listing: Listing | null
  /** Whether the listing is the answer to an earlier query. */
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
 * The states of a machine that fetches the pages of a long list that are in sight, a few at a time. A request is
 * aborted once none of its pages is needed. Pages are requested when scrolling has rested for a moment. After a failure
 * the list stays, and the request is repeated after growing pauses. The machine has the actions, guards and delays, and
 * the actor `fetchPages`.
 */
export const pagingStates = <Context extends PagingFacts>(queryOf: (context: Context) => StreamsQuery) =>
  ({
    loading: {
      tags: 'busy',
      entry: 'chooseBatch',
      always: { guard: 'isBatchObsolete', target: 'settling' },
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
export const isBatchObsolete = ({ batch }: Pick<PagingFacts, 'batch'>, needed: readonly number[]): boolean =>
  !batch.some((page) => needed.includes(page))
