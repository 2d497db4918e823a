import { assign, enqueueActions, fromCallback, fromPromise, setup } from 'xstate'
import type { Health, HealthWarning } from '../../api/contract/system.ts'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { notificationsOf } from '../notifications/notifications-ref.ts'

/** Warning keys to the moment, in epoch ms, until which their dismissal is remembered (spec.md §3). */
export type Dismissals = Readonly<Record<string, number>>

type Checked = { reply: Reply<Health>; at: number }

export type HealthEvent =
  | { type: 'warning.dismissed'; code: string; at: number }
  | { type: 'health.checkRequested' }
  | { type: 'page.hidden' }
  | { type: 'page.shown' }

interface Context {
  health: Health | null
  dismissals: Dismissals
  /** When the last answer came, in epoch ms. */
  checkedAt: number
}

const week = 7 * 24 * 3600 * 1000

export const drainedNode = 'CLUSTER_NODE_DRAINED'

/**
 * Once told to begin, asks the server how it is, every 60 s, and keeps its warnings and which of them were dismissed on this browser for
 * 7 days (spec.md §4, §9). A failure is told once and withdrawn by the next answer.
 */
export const healthMachine = setup({
  types: { context: {} as Context, events: {} as HealthEvent, input: {} as { dismissals: Dismissals } },
  actors: {
    checkHealth: fromPromise<Checked>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  delays: { pollInterval: 60_000 },
  actions: {
    persistDismissals: (_, _params: { dismissals: Dismissals }) => undefined,
    tellServerIsAway: enqueueActions(({ system, enqueue }, { code }: { code: string }) => {
      const notifications = notificationsOf(system)
      if (notifications) enqueue.sendTo(notifications, { type: 'notification.raised', tone: 'error', code, key: 'server' })
    }),
    tellServerIsBack: enqueueActions(({ system, enqueue, self }) => {
      const notifications = notificationsOf(system)
      if (notifications) enqueue.sendTo(notifications, { type: 'notification.withdrawn', key: 'server' })
      if (self._parent) enqueue.sendTo(self._parent, { type: 'server.answered' })
    }),
  },
  guards: {
    isDismissible: (_, { code }: { code: string }) => code !== drainedNode,
    isAnswer: (_, { reply }: Checked) => reply.ok,
    isAway: (_, { reply }: Checked) => !reply.ok && (reply.refusal.status === 0 || reply.refusal.status >= 500),
  },
}).createMachine({
  id: 'health',
  context: ({ input }) => ({ health: null, dismissals: input.dismissals, checkedAt: 0 }),
  invoke: { id: 'visibility', src: 'visibility' },
  initial: 'idle',
  on: {
    'warning.dismissed': {
      guard: { type: 'isDismissible', params: ({ event }) => ({ code: event.code }) },
      actions: [
        assign({ dismissals: ({ context, event }) => ({ ...pruned(context.dismissals, event.at), [event.code]: event.at + week }) }),
        { type: 'persistDismissals', params: ({ context }) => ({ dismissals: context.dismissals }) },
      ],
    },
  },
  states: {
    idle: { on: { 'health.checkRequested': 'checking' } },
    checking: {
      on: { 'page.hidden': 'hidden' },
      invoke: {
        id: 'checkHealth',
        src: 'checkHealth',
        onDone: [
          {
            guard: { type: 'isAnswer', params: ({ event }) => event.output },
            target: 'resting',
            actions: [
              assign(({ event, context }) => ({
                health: event.output.reply.ok ? event.output.reply.value : context.health,
                checkedAt: event.output.at,
              })),
              'tellServerIsBack',
            ],
          },
          {
            guard: { type: 'isAway', params: ({ event }) => event.output },
            target: 'resting',
            actions: { type: 'tellServerIsAway', params: ({ event }) => ({ code: awayCode(event.output.reply) }) },
          },
          { target: 'resting' },
        ],
        onError: 'resting',
      },
    },
    resting: {
      after: { pollInterval: 'checking' },
      on: { 'health.checkRequested': 'checking', 'page.hidden': 'hidden' },
    },
    hidden: { on: { 'page.shown': 'checking' } },
  },
})

function awayCode(reply: Reply<Health>): string {
  return reply.ok ? '' : reply.refusal.code || 'InternalServerError'
}

function pruned(dismissals: Dismissals, at: number): Dismissals {
  return Object.fromEntries(Object.entries(dismissals).filter(([, until]) => until > at))
}

/** The warnings to show: those not dismissed, and the drained node always. */
export function shownWarnings({ health, dismissals, checkedAt }: Context): readonly HealthWarning[] {
  return (health?.warnings ?? []).filter(({ code }) => code === drainedNode || (dismissals[code] ?? 0) <= checkedAt)
}
