import type { TimeRange } from '../../api/contract/time-range.ts'
import { assign, enqueueActions, fromCallback, fromPromise, sendParent, setup } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import { backoff } from '../backoff.ts'
import { notProvided } from '../not-provided.ts'
import { notifyPageApiError } from '../notifications/page-error.ts'
import { canStillGrow, missingCells, withStale, neededCells, withChunks, type RangeChunk } from './chunks.ts'
import { refreshInterval } from './timeline-geometry.ts'

/** `kind` identifies the machine in its reports, `length` is the longest range of one request in milliseconds. */
export type ChunksInput = {
  readonly kind: 'ranges' | 'annotations'
  readonly streamId: string
  readonly length: number
  readonly period: TimeRange
  readonly width: number
  readonly now: number
}

export type ChunksEvent =
  /** The period that the timeline shows, and its width in px. */
  | { readonly type: 'chunks.requested'; readonly period: TimeRange; readonly width: number; readonly now: number }
  /** A moment, in the period or not, that is to be loaded first. */
  | { readonly type: 'chunks.sought'; readonly at: number }
  /** What `isOutdated` accepts is requested again. */
  | { readonly type: 'chunks.outdated' }
  | { readonly type: 'chunks.ticked'; readonly now: number }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/** Sent to the parent after every change; `apiError` is from the last request. */
export type ChunksReport<C> = {
  readonly type: 'chunks.changed'
  readonly kind: ChunksInput['kind']
  readonly chunks: readonly RangeChunk<C>[]
  readonly apiError: ApiError | null
}

export type ChunksAnswer<V> = readonly { readonly cell: TimeRange; readonly reply: Reply<V> }[]

type Context<C> = ChunksInput & {
  readonly sought: number | null
  readonly batch: readonly TimeRange[]
  readonly chunks: readonly RangeChunk<C>[]
  readonly attempts: number
  readonly apiError: ApiError | null
}

const batchSize = 3
const minLength = 60_000
const retryPauses = { minMs: 2000, maxMs: 60_000 }

const apiErrorOf = (answer: ChunksAnswer<unknown>): ApiError | null =>
  answer.reduce<ApiError | null>((found, { reply }) => found ?? (reply.ok ? null : reply.apiError), null)

/**
 * Caches what the server reports for the shown period, in chunks: requests missing ones, three at a time; aborts a
 * request once it is out of sight; halves the length of chunks if the server refuses it as too long; requests chunks
 * that can still grow again; and retries failures with growing pauses. It stops if the user may not view the archive. A
 * refused request raises one toast; outages are the toasts of health.
 * `read` converts a reply into the cached content; `isOutdated` selects old chunks that may have changed.
 */
export const createChunksMachine = <V, C>(
  read: (value: V, cell: TimeRange) => C,
  isOutdated: (chunk: RangeChunk<C>) => boolean,
) =>
  setup({
    types: { context: {} as Context<C>, events: {} as ChunksEvent, input: {} as ChunksInput },
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
      isBatchPast: ({ context }, { period, now }: { period: TimeRange; now: number }) => {
        const needed = neededCells(period, context.length, now, context.sought)
        return !context.batch.some((cell) => needed.some(({ from }) => from === cell.from))
      },
      isForbidden: (_, { answer }: { answer: ChunksAnswer<V> }) => apiErrorOf(answer)?.status === 403,
      isTooLong: ({ context }, { answer }: { answer: ChunksAnswer<V> }) =>
        apiErrorOf(answer)?.code === 'TimeRangeIsTooLong' && context.length > minLength,
      isRefused: (_, { answer }: { answer: ChunksAnswer<V> }) => apiErrorOf(answer) !== null,
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
        sought: answer.some(({ cell, reply }) => reply.ok && isIn(cell, context.sought)) ? null : context.sought,
        apiError: apiErrorOf(answer),
      })),
      halveLength: assign(({ context }) => ({
        length: Math.max(minLength, Math.floor(context.length / 2)),
        apiError: null,
      })),
      countAttempt: assign(({ context }) => ({ attempts: context.attempts + 1, sought: null })),
      forgetAttempts: assign({ attempts: 0 }),
      /** Comes before `assignChunks`. */
      notifyRefused: enqueueActions(({ context, enqueue, system }, { answer }: { answer: ChunksAnswer<V> }) => {
        const apiError = apiErrorOf(answer)
        if (apiError?.status === 400) notifyPageApiError({ enqueue, system }, apiError, context.apiError)
      }),
      assignPeriod: assign((_, { period, width, now }: { period: TimeRange; width: number; now: number }) => ({
        period,
        width,
        now,
      })),
      assignSought: assign((_, { at }: { at: number }) => ({ sought: at })),
      tick: assign((_, { now }: { now: number }) => ({ now })),
      markStale: assign(({ context }, { isStale }: { isStale: (chunk: RangeChunk<C>) => boolean }) => ({
        chunks: withStale(context.chunks, context.period, isStale),
      })),
      report: sendParent(({ context: { kind, chunks, apiError } }): ChunksReport<C> => ({
        type: 'chunks.changed',
        kind,
        chunks,
        apiError,
      })),
    },
  }).createMachine({
    id: 'chunks',
    context: ({ input }) => ({ ...input, sought: null, batch: [], chunks: [], attempts: 0, apiError: null }),
    invoke: { id: 'visibility', src: 'visibility' },
    initial: 'choosing',
    on: {
      'chunks.requested': { actions: { type: 'assignPeriod', params: ({ event }) => event } },
      'chunks.sought': { actions: { type: 'assignSought', params: ({ event }) => event } },
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
          onError: { target: 'waiting', actions: ['countAttempt', 'report'] },
        },
        on: {
          'chunks.requested': [
            {
              guard: { type: 'isBatchPast', params: ({ event }) => event },
              target: 'choosing',
              actions: { type: 'assignPeriod', params: ({ event }) => event },
            },
            { actions: { type: 'assignPeriod', params: ({ event }) => event } },
          ],
        },
      },
      settled: {
        after: {
          refreshInterval: { target: 'choosing', actions: { type: 'markStale', params: { isStale: canStillGrow } } },
        },
        on: {
          'chunks.requested': { target: 'choosing', actions: { type: 'assignPeriod', params: ({ event }) => event } },
          'chunks.sought': { target: 'choosing', actions: { type: 'assignSought', params: ({ event }) => event } },
          'chunks.outdated': { target: 'choosing', actions: { type: 'markStale', params: { isStale: isOutdated } } },
        },
      },
      waiting: { tags: 'error', after: { retryPause: 'choosing' } },
      forbidden: { tags: 'error', on: { 'page.hidden': {} } },
      resting: {
        on: {
          'page.shown': { target: 'choosing', actions: { type: 'markStale', params: { isStale: canStillGrow } } },
        },
      },
    },
  })

const isIn = ({ from, to }: TimeRange, at: number | null): boolean => at !== null && from <= at && at < to

function missingOf<C>({ period, length, now, sought, chunks }: Context<C>): TimeRange[] {
  return missingCells(neededCells(period, length, now, sought), chunks)
}
