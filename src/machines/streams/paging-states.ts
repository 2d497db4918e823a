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
 * Fetches the pages of a long list that are in sight, a few at a time. A request is dropped once all of it is scrolled
 * past. A scroll asks for the pages where it rests, not for all that it passes. A failure keeps the list and tries
 * again with growing pauses. The machine provides the actions, guards, delays and `fetchPages`.
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
    /** A scroll, another view, or a list of another length may need more pages. */
    settled: { always: { guard: 'lacksPages', target: 'settling' } },
    settling: { after: { settle: 'choosing' } },
    failed: {
      tags: 'error',
      after: { retryPause: 'choosing' },
      on: { 'list.retried': { target: 'choosing', actions: 'forgetAttempts' } },
    },
  }) as const

/** The listing with answers; of an outdated one nothing is kept. Nothing changes without an answer. */
export function withAnswers(
  { isOutdated, listing }: Pick<PagingFacts, 'isOutdated' | 'listing'>,
  answers: PagesReply,
  query: StreamsQuery,
): Partial<PagingFacts> {
  const answered = answeredIn(answers)
  if (answered.length === 0) return {}
  return { listing: withPages(isOutdated ? null : listing, answered, query), isOutdated: false }
}

/** Whether no page of the request in progress is wanted any more. */
export const isPast = ({ batch }: Pick<PagingFacts, 'batch'>, wanted: readonly number[]): boolean =>
  !batch.some((page) => wanted.includes(page))
