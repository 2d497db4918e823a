import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { Share } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { raiseErrorToast } from '../notifications/toast.ts'
import { raiseFault, raiseRefusal } from '../api-errors.ts'

export type ShareEvent =
  | { type: 'share.requested' }
  | { type: 'share.withdrawalRequested' }
  | { type: 'share.withdrawalConfirmed' }
  | { type: 'share.withdrawalCancelled' }
  | { type: 'share.reported'; isShared: boolean }

interface Context {
  uid: string
  link: Share | null
  isShared: boolean
  /** What the server said last, to tell a change from a repetition. */
  reported: boolean
}

export interface ShareInput {
  uid: string
  isShared: boolean
}

/**
 * Public access to a stream (docs/wire.md §5.2). Requesting the link enables it, so this happens only on a press;
 * withdrawing it breaks links already given away, so it is confirmed first. A withdrawal by another user, seen in a
 * poll, removes the link here too.
 */
export const shareMachine = setup({
  types: { context: {} as Context, events: {} as ShareEvent, input: {} as ShareInput },
  actors: {
    openShare: fromPromise<Reply<Share>, { uid: string }>(notProvided),
    withdrawShare: fromPromise<Reply<object>, { uid: string }>(notProvided),
  },
  actions: {
    raiseApiError: enqueueActions(raiseErrorToast),
    setShared: assign(({ context }, { isShared }: { isShared: boolean }) =>
      isShared === context.reported ? {} : { reported: isShared, isShared, link: isShared ? context.link : null },
    ),
  },
}).createMachine({
  id: 'share',
  context: ({ input }) => ({ ...input, link: null, reported: input.isShared }),
  initial: 'settled',
  on: { 'share.reported': { actions: { type: 'setShared', params: ({ event }) => event } } },
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
            actions: assign(({ event }) => (event.output.ok ? { link: event.output.value, isShared: true } : {})),
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
            actions: assign({ link: null, isShared: false }),
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
