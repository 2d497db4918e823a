import { assign, enqueueActions, fromCallback, fromPromise, sendParent, setup, stateIn } from 'xstate'
import type { Health, HealthWarning } from '../../api/contract/health.ts'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast, withdrawToast } from '../notifications/toast.ts'
import { isOutage } from '../api-errors.ts'

/** By `dismissalKeys`, the epoch ms until which a dismissal is remembered (docs/behaviour.md §4.4). */
export type Dismissals = Readonly<Record<string, number>>

type Dismissible = Pick<HealthWarning, 'code' | 'nodes'>

/** `isOutdated`: a reload would load another build of the console. */
export type Checked = { reply: Reply<Health>; at: number; isOutdated: boolean }

export type HealthEvent =
  | ({ type: 'warning.dismissed'; at: number } & Dismissible)
  | { type: 'health.checkRequested' }
  | { type: 'page.hidden' }
  | { type: 'page.shown' }

interface Context {
  health: Health | null
  dismissals: Dismissals
  checkedAt: number
  /** The first one that the server reported; '' if it hasn't. */
  version: string
  /** The toast of the current outage has been raised. */
  isReported: boolean
}

const weekMs = 7 * 24 * 3600 * 1000

export const drainedNode = 'CLUSTER_NODE_DRAINED'

const warningCodes: ReadonlySet<string> = new Set([
  'LICENSE_EXPIRATION',
  'ALLOC_DIR_DISK_SPACE',
  drainedNode,
  'CLUSTER_NODE_LOST',
  'CLUSTER_CLOCK_SKEW',
  'CLOCK_STEPPED_BACK',
  'DATABASE_AWAY',
  'FFMPEG_NOT_ISOLATED',
  'ARCHIVE_TAKEOVER',
  'ARCHIVE_VOLUME_MISSING',
  'ARCHIVE_VOLUME_UNWRITABLE',
  'ARCHIVE_NO_VOLUME',
  'ARCHIVE_BUCKET_BEHIND',
  'ARCHIVE_BUCKET_CONFLICT',
  'ARCHIVE_SPOOL_FULL',
  'ARCHIVE_FULL_OF_LOCKED',
  'QUOTA_FULL_OF_LOCKED',
  'MQTT_AWAY',
  'OIDC_AWAY',
  'PROCESSOR_OVERLOADED',
])

/**
 * From the first `health.checkRequested`, polls the server's health every 60 s; each request cancels the one before.
 * Further requests poll at once. Keeps the warnings, and for 7 days which of them were dismissed in this browser
 * (docs/behaviour.md §4.4). Notifies the parent of a version that differs from the first one, and of another build of
 * the console. An outage raises one toast and shortens the interval to 5 s; the next answer ends it. Pauses while the
 * page is hidden.
 */
export const healthMachine = setup({
  types: { context: {} as Context, events: {} as HealthEvent, input: {} as { dismissals: Dismissals } },
  actors: {
    checkHealth: fromPromise<Checked>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  delays: { pollInterval: 60_000, retryInterval: 5_000 },
  actions: {
    /** Provided by the wiring. */
    persistDismissals: (_, _params: { dismissals: Dismissals }) => undefined,
    dismiss: assign({
      dismissals: ({ context, event }) =>
        event.type === 'warning.dismissed'
          ? {
              ...pruned(context.dismissals, event.at),
              ...Object.fromEntries(dismissalKeys(event).map((key) => [key, event.at + weekMs])),
            }
          : context.dismissals,
    }),
    assignHealth: assign(({ context }, { reply, at }: Checked) => ({
      health: reply.ok ? reply.value : context.health,
      checkedAt: at,
      version: context.version || (reply.ok ? reply.value.version : ''),
      isReported: false,
    })),
    notifyUpdated: enqueueActions(({ context: { version, health }, enqueue }, { isOutdated }: Checked) => {
      if (isOutdated || (health !== null && health.version !== '' && health.version !== version))
        enqueue.sendParent({ type: 'server.updated' })
    }),
    forgetOutage: assign({ isReported: false }),
    notifyFailure: enqueueActions(({ context, system, enqueue }, { code }: { code: string }) => {
      enqueue.assign({ isReported: true })
      if (!context.isReported) raiseToast({ enqueue, system }, { tone: 'error', code, key: 'server' })
    }),
    withdrawFailure: enqueueActions(({ system, enqueue }) => {
      withdrawToast({ enqueue, system }, 'server')
    }),
    notifyMissed: sendParent({ type: 'server.missed' }),
    notifyAnswered: sendParent({ type: 'server.answered' }),
  },
  guards: {
    isDismissible: (_, { code }: { code: string }) => code !== drainedNode,
    isAnswer: (_, { reply }: Checked) => reply.ok,
    isFailure: (_, { reply }: Checked) => failureCode(reply) !== '',
    isUnanswered: stateIn({ polling: 'checking' }),
  },
}).createMachine({
  id: 'health',
  context: ({ input }) => ({
    health: null,
    dismissals: input.dismissals,
    checkedAt: 0,
    version: '',
    isReported: false,
  }),
  invoke: { id: 'visibility', src: 'visibility' },
  initial: 'idle',
  on: {
    'warning.dismissed': {
      guard: { type: 'isDismissible', params: ({ event }) => ({ code: event.code }) },
      actions: [
        'dismiss',
        { type: 'persistDismissals', params: ({ context }) => ({ dismissals: context.dismissals }) },
      ],
    },
  },
  states: {
    idle: {
      initial: 'shown',
      states: {
        shown: { on: { 'page.hidden': 'hidden', 'health.checkRequested': '#health.polling' } },
        hidden: { on: { 'page.shown': 'shown', 'health.checkRequested': '#health.hidden' } },
      },
    },
    polling: {
      after: {
        pollInterval: [
          {
            guard: 'isUnanswered',
            target: 'polling',
            reenter: true,
            actions: [{ type: 'notifyFailure', params: { code: 'NoResponse' } }, 'notifyMissed'],
          },
          { target: 'polling', reenter: true },
        ],
      },
      on: { 'page.hidden': 'hidden', 'health.checkRequested': { target: 'polling', reenter: true } },
      initial: 'checking',
      states: {
        checking: {
          invoke: {
            id: 'checkHealth',
            src: 'checkHealth',
            onDone: [
              {
                guard: { type: 'isAnswer', params: ({ event }) => event.output },
                target: 'resting',
                actions: [
                  { type: 'assignHealth', params: ({ event }) => event.output },
                  'withdrawFailure',
                  { type: 'notifyUpdated', params: ({ event }) => event.output },
                  'notifyAnswered',
                ],
              },
              {
                guard: { type: 'isFailure', params: ({ event }) => event.output },
                target: 'failing',
                actions: [
                  { type: 'notifyFailure', params: ({ event }) => ({ code: failureCode(event.output.reply) }) },
                  'notifyMissed',
                ],
              },
              { target: 'resting', actions: ['forgetOutage', 'withdrawFailure', 'notifyMissed'] },
            ],
            onError: 'resting',
          },
        },
        resting: {},
        failing: { after: { retryInterval: 'checking' } },
      },
    },
    hidden: { on: { 'page.shown': 'polling' } },
  },
})

/** The code of the toast for a failed check; '' for none. */
const failureCode = (reply: Reply<Health>): string =>
  reply.ok || !isOutage(reply.apiError) ? '' : reply.apiError.code || 'NoResponse'

/** A warning about nodes is dismissed for each of them, so that it shows again for another node. */
const dismissalKeys = ({ code, nodes = [] }: Dismissible): string[] =>
  nodes.length === 0 ? [code] : nodes.map((node) => `${code} ${node}`)

function pruned(dismissals: Dismissals, at: number): Dismissals {
  return Object.fromEntries(Object.entries(dismissals).filter(([, until]) => until > at))
}

/** Those of this tab and those that other tabs have stored, each until the later moment, without expired ones. */
export const mergedDismissals = (own: Dismissals, stored: Dismissals, at: number): Dismissals =>
  pruned(
    Object.fromEntries(
      [...Object.entries(own), ...Object.entries(stored)].toSorted(([, one], [, other]) => one - other),
    ),
    at,
  )

/** The warnings to show, one for each code: known and not dismissed; that of a drained node always. */
export function shownWarnings({ health, dismissals, checkedAt }: Context): readonly HealthWarning[] {
  const warnings = health?.warnings ?? []
  const isFirst = (code: string, index: number) => warnings.findIndex((one) => one.code === code) === index
  const isDismissed = (warning: HealthWarning) =>
    warning.code !== drainedNode && dismissalKeys(warning).every((key) => (dismissals[key] ?? 0) > checkedAt)
  return warnings.filter(
    (warning, index) => warningCodes.has(warning.code) && isFirst(warning.code, index) && !isDismissed(warning),
  )
}
