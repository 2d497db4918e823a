import type { TimeRange } from '../../api/contract/time-range.ts'
import { assign, enqueueActions, fromCallback, fromPromise, sendParent, setup } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import { backoff } from '../backoff.ts'
import { notProvided } from '../not-provided.ts'
import { notifyArchiveApiError } from './archive-error.ts'

/**
 * The range from the first to the last recording (null: the server knows none), and the days with recordings,
 * `YYYY-MM-DD` in the requested zone (null: unknown, as the request for them failed).
 */
export type Coverage = { readonly recorded: TimeRange | null; readonly days: readonly string[] | null }

/** `recorded`: known although the request for the days failed. */
export type CoverageReply = Reply<Coverage> & { readonly recorded?: TimeRange }

export type CoverageEvent =
  | { readonly type: 'coverage.zoneChosen'; readonly zone: string }
  /** The user may view the archive from now on. */
  | { readonly type: 'coverage.permitted' }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/** Sent to the parent after each reply; after an error `coverage` is what is known for this zone. */
export type CoverageReport = {
  readonly type: 'coverage.changed'
  readonly coverage: Coverage | null
  readonly apiError: ApiError | null
}

type CoverageInput = { readonly streamId: string; readonly zone: string }
type Context = CoverageInput & {
  readonly coverage: Coverage | null
  readonly apiError: ApiError | null
  readonly attempts: number
}

const assignChosenZone = {
  type: 'assignZone' as const,
  params: ({ event }: { event: Extract<CoverageEvent, { type: 'coverage.zoneChosen' }> }) => event,
}

/**
 * The coverage of a stream, for its calendar and overview band. It is requested every minute while the page is visible,
 * after growing pauses when that fails, and not while the user may not view the archive.
 */
export const coverageMachine = setup({
  types: { context: {} as Context, events: {} as CoverageEvent, input: {} as CoverageInput },
  actors: {
    loadCoverage: fromPromise<CoverageReply, CoverageInput>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  delays: {
    refreshInterval: 60_000,
    retryPause: ({ context }) => backoff(context.attempts, { minMs: 2000, maxMs: 60_000 }, context.apiError),
  },
  guards: {
    isForbidden: (_, { reply }: { reply: Reply<Coverage> }) => !reply.ok && reply.apiError.status === 403,
    isRefused: (_, { reply }: { reply: Reply<Coverage> }) => !reply.ok,
  },
  actions: {
    assignCoverage: assign(({ context: { coverage, attempts } }, { reply }: { reply: CoverageReply }) => {
      if (reply.ok) return { coverage: reply.value, apiError: null, attempts: 0 }
      const { apiError, recorded } = reply
      const known = recorded === undefined ? coverage : { recorded, days: coverage?.days ?? null }
      return { coverage: known, apiError, attempts: attempts + 1 }
    }),
    /** Days of another zone aren't reported again. */
    assignZone: assign((_, { zone }: { zone: string }) => ({ zone, coverage: null })),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    /** Comes before `assignCoverage`, which replaces the last error. */
    notifyRefused: enqueueActions(({ context, enqueue, system }, { reply }: { reply: Reply<Coverage> }) => {
      if (!reply.ok) notifyArchiveApiError({ enqueue, system }, reply.apiError, context.apiError)
    }),
    report: sendParent(({ context: { coverage, apiError } }): CoverageReport => ({
      type: 'coverage.changed',
      coverage,
      apiError,
    })),
  },
}).createMachine({
  id: 'coverage',
  context: ({ input }) => ({ ...input, coverage: null, apiError: null, attempts: 0 }),
  invoke: { id: 'visibility', src: 'visibility' },
  initial: 'loading',
  on: {
    'page.hidden': '.resting',
    'coverage.zoneChosen': { target: '.loading', actions: assignChosenZone },
  },
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadCoverage',
        src: 'loadCoverage',
        input: ({ context: { streamId, zone } }) => ({ streamId, zone }),
        onDone: [
          {
            guard: { type: 'isForbidden', params: ({ event }) => ({ reply: event.output }) },
            target: 'forbidden',
            actions: [{ type: 'assignCoverage', params: ({ event }) => ({ reply: event.output }) }, 'report'],
          },
          {
            guard: { type: 'isRefused', params: ({ event }) => ({ reply: event.output }) },
            target: 'waiting',
            actions: [
              { type: 'notifyRefused', params: ({ event }) => ({ reply: event.output }) },
              { type: 'assignCoverage', params: ({ event }) => ({ reply: event.output }) },
              'report',
            ],
          },
          {
            target: 'settled',
            actions: [{ type: 'assignCoverage', params: ({ event }) => ({ reply: event.output }) }, 'report'],
          },
        ],
        onError: { target: 'waiting', actions: 'countAttempt' },
      },
    },
    settled: { after: { refreshInterval: 'loading' } },
    waiting: { tags: 'error', after: { retryPause: 'loading' } },
    forbidden: {
      tags: 'error',
      on: {
        'page.hidden': {},
        'coverage.permitted': 'loading',
        'coverage.zoneChosen': { actions: assignChosenZone },
      },
    },
    resting: { on: { 'page.shown': 'loading' } },
  },
})
