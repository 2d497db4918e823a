import { assign, enqueueActions, fromCallback, fromPromise, raise, setup } from 'xstate'
import type { ArchiveLock } from '../../api/contract/locks.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { besideField } from '../form/refused-fields.ts'
import { notProvided } from '../not-provided.ts'
import { isGone } from '../notifications/action-error.ts'
import { raiseToast } from '../notifications/toast.ts'

/** `days`: after how many the lock expires, '' for never. */
export interface LockTerms {
  reason: string
  days: string
}

/** The range to lock, in epoch ms. */
export interface LockValues extends LockTerms {
  uid: string
  from: number
  to: number
}

/** These errors are shown beside the reason. `''`: unknown errors. */
export const lockFormMachine = formMachineOf<LockValues, object>({
  fieldOfCode: besideField('reason', [
    'NoResponse',
    'NotFound',
    'Forbidden',
    'QuotaReached',
    'InternalServerError',
    'Unavailable',
    '',
  ]),
})

export type LocksEvent =
  | { type: 'rights.changed'; canAdmin: boolean }
  | { type: 'lock.requested'; range: TimeRange }
  | { type: 'list.requested' }
  | { type: 'list.retried' }
  | { type: 'list.outdated' }
  | { type: 'dialog.closed' }
  | { type: 'unlock.requested'; lock: ArchiveLock }
  | { type: 'unlock.confirmed' }
  | { type: 'unlock.cancelled' }
  | { type: 'page.hidden' }
  | { type: 'page.shown' }
  | FormReport<LockValues, object>

interface Context {
  uid: string
  locks: readonly ArchiveLock[]
  /** Whether `locks` has been fetched. */
  isKnown: boolean
  apiError: ApiError | null
  /** The range that the dialog locks. */
  range: TimeRange
  /** The lock that the dialog removes, and why it wasn't removed. */
  chosen: ArchiveLock | null
  unlockApiError: ApiError | null
}

/**
 * The locks of a stream's archive, fetched every minute while the page is visible, if the user may administer the
 * stream. Dialogs create a lock for the selected range, list the locks, and remove one after a confirmation; they close
 * if that right is withdrawn.
 */
export const locksMachine = setup({
  types: {
    context: {} as Context,
    events: {} as LocksEvent,
    input: {} as { uid: string },
    children: {} as { form: 'form'; fetchLocks: 'fetchLocks'; removeLock: 'removeLock' },
  },
  actors: {
    form: lockFormMachine,
    fetchLocks: fromPromise<Reply<readonly ArchiveLock[]>, { uid: string }>(notProvided),
    removeLock: fromPromise<Reply<object>, { uid: string; id: string }>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  guards: {
    canAdmin: (_args: unknown, { canAdmin }: { canAdmin: boolean }) => canAdmin,
    isGone,
  },
  actions: {
    assignLocks: assign((_args, { reply }: { reply: Reply<readonly ArchiveLock[]> }) =>
      reply.ok ? { locks: reply.value, isKnown: true, apiError: null } : { apiError: reply.apiError },
    ),
    notifyLocked: enqueueActions(({ enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'recordingLocked' })
    }),
  },
  delays: {
    /** After a refusal no sooner than the server's `retry-after`. */
    refreshInterval: ({ context }) => Math.max(60_000, (context.apiError?.retryAfterSeconds ?? 0) * 1000),
  },
}).createMachine({
  id: 'locks',
  type: 'parallel',
  context: ({ input }) => ({
    uid: input.uid,
    locks: [],
    isKnown: false,
    apiError: null,
    range: { from: 0, to: 0 },
    chosen: null,
    unlockApiError: null,
  }),
  states: {
    list: {
      initial: 'closed',
      states: {
        closed: {
          on: {
            'rights.changed': {
              guard: { type: 'canAdmin', params: ({ event }) => event },
              target: 'open',
            },
          },
        },
        open: {
          invoke: { id: 'visibility', src: 'visibility' },
          initial: 'loading',
          on: {
            'page.hidden': '.resting',
            'rights.changed': [
              { guard: { type: 'canAdmin', params: ({ event }) => event } },
              { target: 'closed', actions: assign({ locks: [], isKnown: false, apiError: null }) },
            ],
            'list.retried': '.loading',
            'list.outdated': '.loading',
          },
          states: {
            loading: {
              invoke: {
                id: 'fetchLocks',
                src: 'fetchLocks',
                input: ({ context }) => ({ uid: context.uid }),
                onDone: {
                  target: 'settled',
                  actions: { type: 'assignLocks', params: ({ event }) => ({ reply: event.output }) },
                },
                onError: { target: 'settled', actions: assign({ apiError: unknownApiError }) },
              },
            },
            settled: { after: { refreshInterval: 'loading' } },
            resting: { on: { 'page.shown': 'loading' } },
          },
        },
      },
    },
    dialog: {
      initial: 'closed',
      on: {
        'rights.changed': [{ guard: { type: 'canAdmin', params: ({ event }) => event } }, { target: '.closed' }],
      },
      states: {
        closed: {
          on: {
            'lock.requested': { target: 'drafting', actions: assign({ range: ({ event }) => event.range }) },
            'list.requested': 'listing',
          },
        },
        drafting: {
          invoke: {
            id: 'form',
            src: 'form',
            input: ({ context: { uid, range } }) => ({ facts: null, values: { uid, ...range, reason: '', days: '' } }),
          },
          on: {
            'dialog.closed': 'closed',
            'form.saved': { target: 'closed', actions: ['notifyLocked', raise({ type: 'list.outdated' })] },
          },
        },
        listing: {
          on: {
            'dialog.closed': 'closed',
            'unlock.requested': {
              target: 'confirming',
              actions: assign({ chosen: ({ event }) => event.lock, unlockApiError: null }),
            },
          },
        },
        confirming: { on: { 'unlock.confirmed': 'unlocking', 'unlock.cancelled': 'listing' } },
        unlocking: {
          tags: 'busy',
          invoke: {
            id: 'removeLock',
            src: 'removeLock',
            input: ({ context: { uid, chosen } }) => ({ uid, id: chosen?.id ?? '' }),
            onDone: [
              {
                guard: { type: 'isGone', params: ({ event }) => ({ reply: event.output }) },
                target: 'listing',
                actions: [
                  assign({ locks: ({ context }) => context.locks.filter(({ id }) => id !== context.chosen?.id) }),
                  raise({ type: 'list.outdated' }),
                ],
              },
              { target: 'confirming', actions: assign({ unlockApiError: ({ event }) => apiErrorOf(event.output) }) },
            ],
            onError: { target: 'confirming', actions: assign({ unlockApiError: unknownApiError }) },
          },
        },
      },
    },
  },
})
