import type { TimeRange } from '../../api/contract/time-range.ts'
import { assign, enqueueActions, fromCallback, fromPromise, sendParent, setup } from 'xstate'
import type { ApiError } from '../../api/reply.ts'
import { isOutage, unknownApiError } from '../api-errors.ts'
import { backoff } from '../backoff.ts'
import { notProvided } from '../not-provided.ts'
import { notifyArchiveApiError } from './archive-error.ts'
import type { ChunksAnswer, ChunksContext, ChunksEvent, ChunksInput, ChunksReport } from './chunks.events.ts'
import {
  missingCells,
  withStale,
  withDue,
  withFutureStale,
  neededCells,
  withChunks,
  type RangeChunk,
} from './chunks.ts'
import { refreshInterval } from './timeline-geometry.ts'

const batchSize = 3
const minLengthMs = 60_000
const retryPauses = { minMs: 2000, maxMs: 60_000 }
/** A prioritized moment isn't tried again after this many failures in a row. */
const maxAttempts = 4

/** The first error among the replies. */
const apiErrorOf = (answer: ChunksAnswer<unknown>): ApiError | null =>
  answer.reduce<ApiError | null>((first, { reply }) => first ?? (reply.ok ? null : reply.apiError), null)

/**
 * Caches what the server reports for the shown period, in chunks. It requests the missing ones, three at a time, and
 * aborts a request once none of its cells is needed. It halves the cells if the server refuses them as too long. From
 * time to time it requests again the chunks that can still grow, or all of the period. After a failure it retries with
 * growing pauses, but gives up a prioritized moment after some attempts; it stops if the user may not view the archive,
 * until that may have changed. Consecutive failures raise one toast.
 * `read` converts the reply for a cell into the cached content; `isOutdated` selects chunks that may have changed.
 */
export const createChunksMachine = <V, C>(
  read: (value: V, cell: TimeRange) => C,
  isOutdated: (chunk: RangeChunk<C>) => boolean,
) =>
  setup({
    types: { context: {} as ChunksContext<C>, events: {} as ChunksEvent, input: {} as ChunksInput },
    actors: {
      loadChunks: fromPromise<ChunksAnswer<V>, { streamId: string; cells: readonly TimeRange[] }>(notProvided),
      visibility: fromCallback(() => undefined),
    },
    delays: {
      refreshInterval: ({ context }) => refreshInterval(context.period, context.width),
      retryPause: ({ context }) => backoff(context.attempts, retryPauses, context.apiError),
    },
    guards: {
      isComplete: ({ context }) => missingOf(context).length === 0,
      isBatchObsolete: ({ context }, { period, now }: { period: TimeRange; now: number }) => {
        const needed = neededCells(period, context.lengthMs, now, context.priorityAt)
        return !context.batch.some((cell) => needed.some(({ from }) => from === cell.from))
      },
      isForbidden: (_, { answer }: { answer: ChunksAnswer<V> }) => apiErrorOf(answer)?.status === 403,
      isTooLong: ({ context }, { answer }: { answer: ChunksAnswer<V> }) =>
        apiErrorOf(answer)?.code === 'TimeRangeIsTooLong' && context.lengthMs > minLengthMs,
      isRefused: (_, { answer }: { answer: ChunksAnswer<V> }) => apiErrorOf(answer) !== null,
      isUrgent: ({ context: { apiError } }, { isUrgent }: { isUrgent?: boolean }) =>
        isUrgent === true && (apiError?.retryAfterSeconds ?? null) === null,
    },
    actions: {
      chooseBatch: assign(({ context }) => ({ batch: missingOf(context).slice(0, batchSize) })),
      assignChunks: assign(({ context }, { answer }: { answer: ChunksAnswer<V> }) => ({
        chunks: withChunks(
          context.chunks,
          answer.flatMap(({ cell, reply }) =>
            reply.ok ? [{ ...cell, content: read(reply.value, cell), loadedAt: context.now, isStale: false }] : [],
          ),
          context.period,
        ),
        priorityAt: answer.some(({ cell, reply }) => reply.ok && isIn(cell, context.priorityAt))
          ? null
          : context.priorityAt,
        apiError: apiErrorOf(answer),
      })),
      halveLength: assign(({ context }) => ({
        lengthMs: Math.max(minLengthMs, Math.floor(context.lengthMs / 2)),
        apiError: null,
      })),
      assignFault: assign({ apiError: unknownApiError }),
      countAttempt: assign(({ context }) => {
        const { batch, priorityAt, apiError } = context
        const attempts = context.attempts + 1
        const isLast = attempts >= maxAttempts || (apiError !== null && !isPassing(apiError))
        const isAbandoned = isLast && batch.some((cell) => isIn(cell, priorityAt))
        return isAbandoned ? { attempts, priorityAt: null, abandonedAt: priorityAt } : { attempts, abandonedAt: null }
      }),
      forgetAttempts: assign({ attempts: 0, abandonedAt: null }),
      /** Comes before `assignChunks`, which replaces the last error. */
      notifyRefused: enqueueActions(({ context, enqueue, system }, { answer }: { answer: ChunksAnswer<V> }) => {
        notifyArchiveApiError({ enqueue, system }, apiErrorOf(answer), context.apiError)
      }),
      assignPeriod: assign((_, { period, width, now }: { period: TimeRange; width: number; now: number }) => ({
        period,
        width,
        now,
      })),
      assignPriority: assign(({ context }, { at, now = context.now }: { at: number; now?: number }) => ({
        priorityAt: at,
        now,
        chunks: at < now ? withFutureStale(context.chunks, at) : context.chunks,
      })),
      tick: assign((_, { now }: { now: number }) => ({ now })),
      markOutdated: assign(({ context }) => ({ chunks: withStale(context.chunks, context.period, isOutdated) })),
      markDue: assign(({ context: { chunks, period, isRefreshedWhole = false } }) => ({
        chunks: withDue(chunks, period, isRefreshedWhole),
      })),
      markAll: assign(({ context: { chunks, period } }) => ({ chunks: withStale(chunks, period, () => true) })),
      report: sendParent(({ context: { kind, chunks, apiError, abandonedAt } }): ChunksReport<C> => ({
        type: 'chunks.changed',
        kind,
        chunks,
        apiError,
        abandonedAt,
      })),
    },
  }).createMachine({
    id: 'chunks',
    context: ({ input }) => ({
      ...input,
      priorityAt: null,
      abandonedAt: null,
      batch: [],
      chunks: [],
      attempts: 0,
      apiError: null,
    }),
    invoke: { id: 'visibility', src: 'visibility' },
    initial: 'choosing',
    on: {
      'chunks.requested': { actions: { type: 'assignPeriod', params: ({ event }) => event } },
      'chunks.prioritized': { actions: { type: 'assignPriority', params: ({ event }) => event } },
      'chunks.ticked': { actions: { type: 'tick', params: ({ event }) => event } },
      'page.hidden': '.resting',
    },
    states: {
      choosing: {
        always: [
          { guard: 'isComplete', target: 'settled' },
          { target: 'loading', actions: 'chooseBatch' },
        ],
      },
      loading: {
        tags: 'busy',
        invoke: {
          id: 'loadChunks',
          src: 'loadChunks',
          input: ({ context }) => ({ streamId: context.streamId, cells: context.batch }),
          onDone: [
            {
              guard: { type: 'isForbidden', params: ({ event }) => ({ answer: event.output }) },
              target: 'forbidden',
              actions: [{ type: 'assignChunks', params: ({ event }) => ({ answer: event.output }) }, 'report'],
            },
            {
              guard: { type: 'isTooLong', params: ({ event }) => ({ answer: event.output }) },
              target: 'choosing',
              actions: [{ type: 'assignChunks', params: ({ event }) => ({ answer: event.output }) }, 'halveLength'],
            },
            {
              guard: { type: 'isRefused', params: ({ event }) => ({ answer: event.output }) },
              target: 'waiting',
              actions: [
                { type: 'notifyRefused', params: ({ event }) => ({ answer: event.output }) },
                { type: 'assignChunks', params: ({ event }) => ({ answer: event.output }) },
                'countAttempt',
                'report',
              ],
            },
            {
              target: 'choosing',
              actions: [
                { type: 'assignChunks', params: ({ event }) => ({ answer: event.output }) },
                'forgetAttempts',
                'report',
              ],
            },
          ],
          onError: { target: 'waiting', actions: ['assignFault', 'countAttempt', 'report'] },
        },
        on: {
          'chunks.requested': [
            {
              guard: { type: 'isBatchObsolete', params: ({ event }) => event },
              target: 'choosing',
              actions: { type: 'assignPeriod', params: ({ event }) => event },
            },
            { actions: { type: 'assignPeriod', params: ({ event }) => event } },
          ],
        },
      },
      settled: {
        after: {
          refreshInterval: { target: 'choosing', actions: 'markDue' },
        },
        on: {
          'chunks.requested': { target: 'choosing', actions: { type: 'assignPeriod', params: ({ event }) => event } },
          'chunks.prioritized': {
            target: 'choosing',
            actions: { type: 'assignPriority', params: ({ event }) => event },
          },
          'chunks.outdated': { target: 'choosing', actions: 'markOutdated' },
        },
      },
      waiting: {
        tags: 'error',
        after: { retryPause: 'choosing' },
        on: {
          'chunks.prioritized': {
            guard: { type: 'isUrgent', params: ({ event }) => event },
            target: 'choosing',
            actions: { type: 'assignPriority', params: ({ event }) => event },
          },
        },
      },
      forbidden: {
        tags: 'error',
        on: {
          'page.hidden': {},
          // One request at least, whose answer shows whether the right is back.
          'chunks.permitted': { target: 'choosing', actions: 'markAll' },
        },
      },
      resting: {
        on: {
          'page.shown': { target: 'choosing', actions: 'markDue' },
        },
      },
    },
  })

/** Whether waiting may cure it. */
const isPassing = (apiError: ApiError): boolean => isOutage(apiError) || apiError.status === 429

const isIn = ({ from, to }: TimeRange, at: number | null): boolean => at !== null && from <= at && at < to

function missingOf<C>({ period, lengthMs, now, priorityAt, chunks }: ChunksContext<C>): TimeRange[] {
  return missingCells(neededCells(period, lengthMs, now, priorityAt), chunks)
}
