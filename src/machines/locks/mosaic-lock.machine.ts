import { type ActorRefFrom, assign, enqueueActions, sendTo, setup, type SnapshotFrom } from 'xstate'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { raiseToast } from '../notifications/toast.ts'
import { lockedIn, type LockOutcomes, refusedIn } from './lock-each.ts'
import type { LockTerms } from './locks.machine.ts'

export interface LockCamera {
  readonly uid: string
  readonly name: string
  /** The user has the right to lock its recordings. */
  readonly mayLock: boolean
}

/** The chosen cameras, and the range to lock, in epoch ms. */
export interface MosaicLockValues extends LockTerms {
  uids: readonly string[]
  from: number
  to: number
}

interface MosaicLockRequest {
  readonly range: TimeRange
  /** Each camera of the mosaic once. */
  readonly cameras: readonly LockCamera[]
}

export type MosaicLockEvent =
  | ({ type: 'lock.requested' } & MosaicLockRequest)
  | { type: 'dialog.closed' }
  | FormReport<MosaicLockValues, LockOutcomes>

interface Context extends MosaicLockRequest {
  /** Of all tries. */
  readonly outcomes: LockOutcomes
}

/** `empty`: no camera is chosen; the dialog has the text. */
export const mosaicLockFormMachine = formMachineOf<MosaicLockValues, LockOutcomes>({
  validate: ({ uids }) => (uids.length === 0 ? { uids: 'empty' } : {}),
})

/**
 * The dialog that locks the range between the in and out marks of several cameras of a mosaic. A form asks for a
 * reason, an expiry and the cameras, and locks the recording of one camera after another. The dialog closes once all
 * are locked; otherwise it stays with those that were refused, and the next try locks only these.
 */
export const mosaicLockMachine = setup({
  types: {
    context: {} as Context,
    events: {} as MosaicLockEvent,
    children: {} as { form: 'form' },
  },
  actors: { form: mosaicLockFormMachine },
  actions: {
    addOutcomes: assign(({ context }, { answer }: { answer: LockOutcomes }) => ({
      outcomes: { ...context.outcomes, ...answer },
    })),
    chooseRefused: sendTo('form', (_args, { answer }: { answer: LockOutcomes }) => ({
      type: 'form.rebased',
      values: { uids: refusedIn(answer) },
    })),
    notifyLocked: enqueueActions(({ context: { outcomes }, enqueue, system }) => {
      const { length } = lockedIn(outcomes)
      const words =
        length === 1 ? { code: 'recordingLocked' } : { code: 'recordingsLocked', values: { count: String(length) } }
      raiseToast({ enqueue, system }, { tone: 'success', ...words })
    }),
  },
  guards: {
    areAllLocked: (_args, { answer }: { answer: LockOutcomes }) => refusedIn(answer).length === 0,
  },
}).createMachine({
  id: 'mosaicLock',
  context: { range: { from: 0, to: 0 }, cameras: [], outcomes: {} },
  initial: 'closed',
  states: {
    closed: {
      on: {
        'lock.requested': {
          target: 'drafting',
          actions: assign({
            range: ({ event }) => event.range,
            cameras: ({ event }) => event.cameras,
            outcomes: {},
          }),
        },
      },
    },
    drafting: {
      invoke: {
        id: 'form',
        src: 'form',
        input: ({ context: { range, cameras } }) => ({
          facts: null,
          values: {
            ...range,
            uids: cameras.filter(({ mayLock }) => mayLock).map(({ uid }) => uid),
            reason: '',
            days: '',
          },
        }),
      },
      on: {
        'dialog.closed': 'closed',
        'form.saved': [
          {
            guard: { type: 'areAllLocked', params: ({ event }) => event },
            target: 'closed',
            actions: [{ type: 'addOutcomes', params: ({ event }) => event }, 'notifyLocked'],
          },
          {
            actions: [
              { type: 'addOutcomes', params: ({ event }) => event },
              { type: 'chooseRefused', params: ({ event }) => event },
            ],
          },
        ],
      },
    },
  },
})

export type MosaicLockRef = ActorRefFrom<typeof mosaicLockMachine>
export type MosaicLockFormRef = ActorRefFrom<typeof mosaicLockFormMachine>

export const selectMosaicLockForm = ({ children }: SnapshotFrom<typeof mosaicLockMachine>) => children.form
