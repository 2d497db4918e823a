import { assign, enqueueActions, fromCallback, sendParent, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { raiseErrorToast } from '../notifications/toast.ts'
import { apiErrorOf } from '../api-errors.ts'
import { hasCredentialSource } from '../stream-pages/credential-sources.ts'
import type { BulkAnswer, BulkContext, BulkEvent, BulkJob, BulkOutcome, BulkWork } from './bulk.events.ts'
import { lockReasonsIn } from './bulk-locks.ts'
import { type GatheringInput, gatheringBroken, gatheringMachine, gatheringRefused } from './gathering.machine.ts'

const maxRunning = 4

const emptyGathering: GatheringInput = {
  query: { groupType: 'none', sortType: 'date', isOnlyAvailable: false, searchingValues: [] },
  listing: { total: 0, pageSize: 1, pages: {} },
}

const workId = (uid: string) => `work.${uid}`

/** The uids of the selected streams that the last job refused or left. */
export const retryable = ({ chosen, outcomes }: Pick<BulkContext, 'chosen' | 'outcomes'>): string[] =>
  [...chosen.keys()].filter((uid) => isRetryable(outcomes.get(uid)))

const isRetryable = (outcome: BulkOutcome | undefined) => outcome?.kind === 'refused' || outcome?.kind === 'left'

/**
 * The selection of streams, and the job that runs on them: four streams at a time, each with its own outcome. Selecting
 * all streams gathers those that the list hasn't loaded. Results are collected and applied four times a second, as each
 * application copies all outcomes. Cancelling a job leaves the streams that it hasn't begun; refused and left streams
 * can be retried. Deleting is confirmed first, and again for the streams with locked recordings; a stream that somebody
 * else has deleted counts as deleted.
 */
export const bulkMachine = setup({
  types: { context: {} as BulkContext, events: {} as BulkEvent, children: {} as { gathering: 'gathering' } },
  actors: {
    gathering: gatheringMachine,
    /** Sends one `work.ended`. */
    work: fromCallback<BulkEvent, BulkWork>(() => undefined),
  },
  actions: {
    choose: assign(({ context, event }) => {
      const chosen = new Map(context.chosen)
      if (event.type === 'choice.extended') for (const stream of event.streams) chosen.set(stream.uid, stream)
      if (event.type === 'choice.toggled' && !chosen.delete(event.stream.uid))
        chosen.set(event.stream.uid, event.stream)
      return { chosen }
    }),
    clear: assign({ chosen: new Map(), subjects: new Map(), outcomes: new Map(), job: null }),
    assignAll: assign(({ context: { chosen, selectAll } }, { streams }: { streams: readonly Stream[] }) => ({
      chosen: new Map([
        ...chosen,
        ...streams
          .filter(({ meta }) => selectAll.isAdmin || meta.canAdmin)
          .map((stream) => [stream.uid, stream] as const),
      ]),
    })),
    raiseApiError: enqueueActions(raiseErrorToast),
    assignJob: assign(({ context: { chosen } }, { job }: { job: BulkJob }) => ({
      job,
      subjects: chosen,
      waiting: [...chosen.keys()],
      outcomes: new Map(),
    })),
    requeueRetryable: assign(({ context }) => ({
      waiting: retryable(context),
      outcomes: new Map([...context.outcomes].filter(([, outcome]) => !isRetryable(outcome))),
    })),
    requeueLocked: assign(({ context: { job, outcomes } }) => {
      const locked = lockReasonsIn(outcomes)
      return {
        job: job?.kind === 'delete' ? { ...job, unlocked: [...locked.keys()] } : job,
        waiting: [...locked.keys()],
        outcomes: new Map([...outcomes].filter(([uid]) => !locked.has(uid))),
      }
    }),
    startWork: enqueueActions(({ context, enqueue }) => {
      const { job, chosen, waiting, running } = context
      const next = waiting.slice(0, maxRunning - running.length)
      for (const uid of next) {
        const stream = chosen.get(uid)
        if (job !== null && stream !== undefined)
          enqueue.spawnChild('work', { id: workId(uid), input: { stream, job } })
      }
      enqueue.assign({ waiting: waiting.slice(next.length), running: [...running, ...next] })
    }),
    assignResult: enqueueActions(({ context, enqueue }, { uid, reply }: BulkAnswer) => {
      enqueue.stopChild(workId(uid))
      enqueue.assign({
        answers: [...context.answers, { uid, reply }],
        running: context.running.filter((one) => one !== uid),
      })
    }),
    applyResults: assign(({ context: { chosen, job, answers, outcomes } }) => {
      if (answers.length === 0) return {}
      const [kept, results] = [new Map(chosen), new Map(outcomes)]
      for (const { uid, reply } of answers) {
        results.set(uid, outcomeOf(job, reply))
        if (job?.kind === 'delete' && isDone(job, reply)) kept.delete(uid)
        else if (reply.ok && reply.value !== null) kept.set(uid, reply.value)
      }
      return { chosen: kept, outcomes: results, answers: [] }
    }),
    /** Comes before `applyResults`. */
    reportChanged: enqueueActions(({ context: { answers }, enqueue }) => {
      const streams = answers.flatMap(({ reply }) => (reply.ok && reply.value !== null ? [reply.value] : []))
      if (streams.length > 0) enqueue(sendParent({ type: 'bulk.changed', streams }))
    }),
    cancelWaiting: assign(({ context }) => ({
      waiting: [],
      outcomes: new Map([
        ...context.outcomes,
        ...context.waiting.map((uid) => [uid, { kind: 'left' } as const] as const),
      ]),
    })),
    reportEnded: sendParent({ type: 'bulk.ended' }),
  },
  delays: { reportInterval: 250 },
  guards: {
    isRefused: (_args, { apiError }: { apiError: ApiError | null }) => apiError !== null,
    hasChosen: ({ context }) => context.chosen.size > 0,
    hasRetryable: ({ context }) => context.job !== null && retryable(context).length > 0,
    hasLocked: ({ context }) => lockReasonsIn(context.outcomes).size > 0,
    canStart: ({ context }) => context.waiting.length > 0 && context.running.length < maxRunning,
    isFinished: ({ context }) => context.waiting.length === 0 && context.running.length === 0,
  },
}).createMachine({
  id: 'bulk',
  context: {
    chosen: new Map(),
    selectAll: { gathering: emptyGathering, isAdmin: false },
    job: null,
    subjects: new Map(),
    withArchive: true,
    waiting: [],
    running: [],
    answers: [],
    outcomes: new Map(),
  },
  initial: 'choosing',
  states: {
    choosing: {
      on: {
        'choice.toggled': { actions: 'choose' },
        'choice.extended': { actions: 'choose' },
        'choice.cleared': { actions: 'clear' },
        'choice.allRequested': {
          target: 'gathering',
          actions: assign({ selectAll: ({ event: { gathering, isAdmin } }) => ({ gathering, isAdmin }) }),
        },
        'job.requested': {
          guard: 'hasChosen',
          target: 'working',
          actions: { type: 'assignJob', params: ({ event }) => event },
        },
        'job.retried': { guard: 'hasRetryable', target: 'working', actions: 'requeueRetryable' },
        'tagging.requested': { guard: 'hasChosen', target: 'tagging' },
        'removal.requested': { guard: 'hasChosen', target: 'confirming', actions: assign({ withArchive: true }) },
      },
    },
    gathering: {
      tags: 'busy',
      invoke: {
        id: 'gathering',
        src: 'gathering',
        input: ({ context }) => context.selectAll.gathering,
        onDone: [
          gatheringRefused,
          { target: 'choosing', actions: { type: 'assignAll', params: ({ event }) => event.output } },
        ],
        onError: gatheringBroken,
      },
      on: { 'gathering.cancelled': 'choosing' },
    },
    tagging: {
      on: {
        'job.requested': { target: 'working', actions: { type: 'assignJob', params: ({ event }) => event } },
        'tagging.cancelled': 'choosing',
      },
    },
    confirming: {
      on: {
        'removal.purgeChosen': { actions: assign({ withArchive: ({ event }) => event.withArchive }) },
        'removal.confirmed': {
          target: 'working',
          actions: {
            type: 'assignJob',
            params: ({ context }) => ({ job: { kind: 'delete', purge: context.withArchive, unlocked: [] } as const }),
          },
        },
        'removal.cancelled': 'choosing',
      },
    },
    working: {
      tags: 'busy',
      always: [
        { guard: 'canStart', actions: 'startWork' },
        { guard: 'isFinished', target: 'finished', actions: ['reportChanged', 'applyResults', 'reportEnded'] },
      ],
      after: { reportInterval: { target: 'working', reenter: true, actions: ['reportChanged', 'applyResults'] } },
      on: {
        'work.ended': { actions: { type: 'assignResult', params: ({ event }) => event } },
        'job.cancelled': { actions: 'cancelWaiting' },
      },
    },
    finished: { always: [{ guard: 'hasLocked', target: 'confirmingLocked' }, { target: 'choosing' }] },
    confirmingLocked: {
      on: { 'removal.confirmed': { target: 'working', actions: 'requeueLocked' }, 'removal.cancelled': 'choosing' },
    },
  },
})

const isDone = (job: BulkJob | null, reply: Reply<unknown>): boolean =>
  reply.ok || (job?.kind === 'delete' && reply.apiError.status === 404)

function outcomeOf(job: BulkJob | null, reply: Reply<Stream | null>): BulkOutcome {
  if (!isDone(job, reply)) return { kind: 'refused', apiError: apiErrorOf(reply) }
  const isSkipped = job?.kind === 'credentials' && reply.ok && reply.value !== null && !hasCredentialSource(reply.value)
  return { kind: isSkipped ? 'skipped' : 'done' }
}
