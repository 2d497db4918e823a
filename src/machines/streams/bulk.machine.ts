import { assign, enqueueActions, fromCallback, sendParent, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { Refusal, Reply } from '../../api/reply.ts'
import { refusalOf } from '../refusals.ts'

/** What is done to every chosen stream. */
export type BulkJob =
  | { readonly kind: 'pause' | 'resume' | 'unshare' }
  | { readonly kind: 'tag'; readonly added: readonly string[]; readonly removed: readonly string[] }
  | { readonly kind: 'delete'; readonly purge: boolean }

/** What became of a stream: done, refused, or left as it was. */
export type BulkOutcome = { readonly kind: 'done' | 'left' } | { readonly kind: 'refused'; readonly refusal: Refusal }

export interface BulkWork {
  readonly stream: Stream
  readonly job: BulkJob
}

export type BulkEvent =
  | { type: 'choice.toggled'; stream: Stream }
  | { type: 'choice.extended'; streams: readonly Stream[] }
  | { type: 'choice.cleared' }
  | { type: 'job.requested'; job: Exclude<BulkJob, { kind: 'delete' }> }
  | { type: 'job.cancelled' }
  | { type: 'job.retried' }
  | { type: 'tagging.requested' }
  | { type: 'tagging.cancelled' }
  | { type: 'removal.requested' }
  | { type: 'removal.purgeChosen'; isPurging: boolean }
  | { type: 'removal.confirmed' }
  | { type: 'removal.cancelled' }
  /** `reply` is the stream as it is then, null once it is gone. */
  | { type: 'work.ended'; uid: string; reply: Reply<Stream | null> }

/** What the list is told. */
export type BulkReport = { type: 'bulk.changed'; stream: Stream } | { type: 'bulk.ended' }

export interface BulkContext {
  /** By uid, as each stream was when it was chosen or last changed. */
  readonly chosen: ReadonlyMap<string, Stream>
  readonly job: BulkJob | null
  readonly isPurging: boolean
  readonly waiting: readonly string[]
  readonly running: readonly string[]
  /** Of the last job, by uid. */
  readonly outcomes: ReadonlyMap<string, BulkOutcome>
}

const mostRunning = 4

const working = (uid: string) => `work.${uid}`

/** What the last job didn't do, and may be tried again. */
export const undone = ({ chosen, outcomes }: Pick<BulkContext, 'chosen' | 'outcomes'>): string[] =>
  [...chosen.keys()].filter((uid) => ['refused', 'left'].includes(outcomes.get(uid)?.kind ?? ''))

/**
 * Streams chosen in the list, and what is done to all of them (issue 4): four at a time, each with an outcome of its own. A
 * cancelled job lets those under way end and leaves the others as they were; what was refused or left can be tried again.
 * Deleting asks first. A stream that somebody else deleted meanwhile is as gone as it should be.
 */
export const bulkMachine = setup({
  types: { context: {} as BulkContext, events: {} as BulkEvent },
  actors: {
    /** Answers with one `work.ended`. */
    work: fromCallback<BulkEvent, BulkWork>(() => undefined),
  },
  actions: {
    choose: assign(({ context, event }) => {
      const chosen = new Map(context.chosen)
      if (event.type === 'choice.extended') for (const stream of event.streams) chosen.set(stream.uid, stream)
      if (event.type === 'choice.toggled' && !chosen.delete(event.stream.uid)) chosen.set(event.stream.uid, event.stream)
      return { chosen }
    }),
    clear: assign({ chosen: new Map(), outcomes: new Map(), job: null }),
    takeJob: assign(({ context }, { job }: { job: BulkJob }) => ({ job, waiting: [...context.chosen.keys()], outcomes: new Map() })),
    takeUndone: assign(({ context }) => ({
      waiting: undone(context),
      outcomes: new Map([...context.outcomes].filter(([, { kind }]) => kind === 'done')),
    })),
    startWork: enqueueActions(({ context, enqueue }) => {
      const { job, chosen, waiting, running } = context
      const next = waiting.slice(0, mostRunning - running.length)
      for (const uid of next) {
        const stream = chosen.get(uid)
        if (job !== null && stream !== undefined) enqueue.spawnChild('work', { id: working(uid), input: { stream, job } })
      }
      enqueue.assign({ waiting: waiting.slice(next.length), running: [...running, ...next] })
    }),
    settle: enqueueActions(({ context, enqueue }, { uid, reply }: { uid: string; reply: Reply<Stream | null> }) => {
      enqueue.stopChild(working(uid))
      const chosen = new Map(context.chosen)
      const outcome: BulkOutcome = isDone(context.job, reply) ? { kind: 'done' } : { kind: 'refused', refusal: refusalOf(reply) }
      if (context.job?.kind === 'delete' && outcome.kind === 'done') chosen.delete(uid)
      if (reply.ok && reply.value !== null) chosen.set(uid, reply.value)
      enqueue.assign({ chosen, outcomes: new Map(context.outcomes).set(uid, outcome), running: context.running.filter((one) => one !== uid) })
    }),
    tellChanged: enqueueActions(({ enqueue }, { reply }: { reply: Reply<Stream | null> }) => {
      if (reply.ok && reply.value !== null) enqueue(sendParent({ type: 'bulk.changed', stream: reply.value }))
    }),
    leaveRest: assign(({ context }) => ({
      waiting: [],
      outcomes: new Map([...context.outcomes, ...context.waiting.map((uid) => [uid, { kind: 'left' } as const] as const)]),
    })),
    tellEnded: sendParent({ type: 'bulk.ended' }),
  },
  guards: {
    hasChosen: ({ context }) => context.chosen.size > 0,
    hasUndone: ({ context }) => context.job !== null && undone(context).length > 0,
    canStart: ({ context }) => context.waiting.length > 0 && context.running.length < mostRunning,
    isFinished: ({ context }) => context.waiting.length === 0 && context.running.length === 0,
  },
}).createMachine({
  id: 'bulk',
  context: { chosen: new Map(), job: null, isPurging: false, waiting: [], running: [], outcomes: new Map() },
  initial: 'choosing',
  states: {
    choosing: {
      on: {
        'choice.toggled': { actions: 'choose' },
        'choice.extended': { actions: 'choose' },
        'choice.cleared': { actions: 'clear' },
        'job.requested': { guard: 'hasChosen', target: 'working', actions: { type: 'takeJob', params: ({ event }) => event } },
        'job.retried': { guard: 'hasUndone', target: 'working', actions: 'takeUndone' },
        'tagging.requested': { guard: 'hasChosen', target: 'tagging' },
        'removal.requested': { guard: 'hasChosen', target: 'confirming', actions: assign({ isPurging: false }) },
      },
    },
    tagging: {
      on: {
        'job.requested': { target: 'working', actions: { type: 'takeJob', params: ({ event }) => event } },
        'tagging.cancelled': 'choosing',
      },
    },
    confirming: {
      on: {
        'removal.purgeChosen': { actions: assign({ isPurging: ({ event }) => event.isPurging }) },
        'removal.confirmed': {
          target: 'working',
          actions: { type: 'takeJob', params: ({ context }) => ({ job: { kind: 'delete', purge: context.isPurging } as const }) },
        },
        'removal.cancelled': 'choosing',
      },
    },
    working: {
      tags: 'busy',
      always: [
        { guard: 'canStart', actions: 'startWork' },
        { guard: 'isFinished', target: 'choosing', actions: 'tellEnded' },
      ],
      on: {
        'work.ended': { actions: [{ type: 'settle', params: ({ event }) => event }, { type: 'tellChanged', params: ({ event }) => event }] },
        'job.cancelled': { actions: 'leaveRest' },
      },
    },
  },
})

const isDone = (job: BulkJob | null, reply: Reply<unknown>): boolean => reply.ok || (job?.kind === 'delete' && reply.refusal.status === 404)
