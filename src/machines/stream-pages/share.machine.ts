import { type ActorRefFrom, assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { Share } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { raiseErrorToast } from '../notifications/toast.ts'
import { raiseFault, raiseRefusal } from '../api-errors.ts'
import type { Expiry } from '../tokens/expiry.ts'

/** The expiry and the password of a share (feature `share-options`). */
export interface ShareValues {
  uid: string
  /** `kept`: unchanged. */
  expires: Extract<Expiry, 'never' | 'day' | 'week' | 'month'> | 'kept'
  /** The present expiry, RFC 3339; '' for never. */
  expireTime: string
  /** `***`: unchanged. */
  password: string
}

const valuesOf = (uid: string, { expireTime, password = '' }: Share): ShareValues => ({
  uid,
  expires: expireTime === undefined ? 'never' : 'kept',
  expireTime: expireTime === undefined ? '' : new Date(expireTime).toISOString(),
  password,
})

export const shareFormMachine = formMachineOf<ShareValues, Share>({
  afterSave: (share, { uid }) => valuesOf(uid, share),
})

export type ShareEvent =
  | { type: 'share.requested' }
  | { type: 'share.withdrawalRequested' }
  | { type: 'share.withdrawalConfirmed' }
  | { type: 'share.withdrawalCancelled' }
  | { type: 'share.reported'; isShared: boolean }
  | FormReport<ShareValues, Share>

interface Context {
  uid: string
  link: Share | null
  isShared: boolean
  /** Edits the options of the shown link. */
  form: ActorRefFrom<typeof shareFormMachine> | null
  /** `isShared` of the last poll, to recognize a change. */
  reported: boolean
}

export interface ShareInput {
  uid: string
  isShared: boolean
}

/**
 * Public access to a stream (docs/wire.md §5.2). Requesting the link opens the share, so it happens only on a press.
 * Withdrawing it breaks links already given away, so it is confirmed first. A withdrawal by another user, seen in a
 * poll, removes the link here too.
 */
export const shareMachine = setup({
  types: { context: {} as Context, events: {} as ShareEvent, input: {} as ShareInput },
  actors: {
    form: shareFormMachine,
    openShare: fromPromise<Reply<Share>, { uid: string }>(notProvided),
    withdrawShare: fromPromise<Reply<object>, { uid: string }>(notProvided),
  },
  actions: {
    raiseApiError: enqueueActions(raiseErrorToast),
    assignLink: assign(({ context: { uid, form }, spawn }, { link }: { link: Share }) => ({
      link,
      isShared: true,
      form: form ?? spawn('form', { id: 'form', input: { values: valuesOf(uid, link), facts: null } }),
    })),
    dropLink: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('form')
      enqueue.assign({ link: null, isShared: false, form: null })
    }),
    setShared: enqueueActions(({ context, enqueue }, { isShared }: { isShared: boolean }) => {
      if (isShared === context.reported) return
      enqueue.assign({ reported: isShared, isShared })
      if (isShared) return
      enqueue.stopChild('form')
      enqueue.assign({ link: null, form: null })
    }),
  },
}).createMachine({
  id: 'share',
  context: ({ input }) => ({ ...input, link: null, form: null, reported: input.isShared }),
  initial: 'settled',
  on: {
    'share.reported': { actions: { type: 'setShared', params: ({ event }) => event } },
    'form.saved': { actions: { type: 'assignLink', params: ({ event }) => ({ link: event.answer }) } },
  },
  states: {
    settled: { on: { 'share.requested': 'opening', 'share.withdrawalRequested': 'confirming' } },
    opening: {
      tags: 'busy',
      invoke: {
        id: 'openShare',
        src: 'openShare',
        input: ({ context }) => ({ uid: context.uid }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'settled',
            actions: enqueueActions(({ event, enqueue }) => {
              if (event.output.ok) enqueue({ type: 'assignLink', params: { link: event.output.value } })
            }),
          },
          {
            target: 'settled',
            actions: raiseRefusal,
          },
        ],
        onError: { target: 'settled', actions: raiseFault },
      },
    },
    confirming: { on: { 'share.withdrawalConfirmed': 'withdrawing', 'share.withdrawalCancelled': 'settled' } },
    withdrawing: {
      tags: 'busy',
      invoke: {
        id: 'withdrawShare',
        src: 'withdrawShare',
        input: ({ context }) => ({ uid: context.uid }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'settled',
            actions: 'dropLink',
          },
          {
            target: 'settled',
            actions: raiseRefusal,
          },
        ],
        onError: { target: 'settled', actions: raiseFault },
      },
    },
  },
})
