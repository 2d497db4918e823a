import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { errorToast, raiseToast } from '../notifications/toast.ts'
import { reasonsIn } from './locked-reasons.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'

export type RemovalEvent =
  | { type: 'removal.requested' }
  | { type: 'removal.purgeChosen'; withArchive: boolean }
  | { type: 'removal.confirmed' }
  | { type: 'removal.cancelled' }

interface Context {
  uid: string
  withArchive: boolean
  /** The reasons of the locks on recordings that the purge would delete. */
  lockReasons: readonly string[]
}

const lockReasonsIn = (reply: Reply<unknown>) => reasonsIn(apiErrorOf(reply).details)

/**
 * Deletes a stream, after a confirmation that says what is lost, with its archive if chosen (`purge`, docs/wire.md
 * §5.2). If recordings are locked it is confirmed again, with the reasons. The parent is notified of the start, so that
 * a poll that doesn't find the stream any more is no error, and of the end. A stream deleted meanwhile is gone, too,
 * but a toast says that it wasn't found.
 */
export const removalMachine = setup({
  types: { context: {} as Context, events: {} as RemovalEvent, input: {} as { uid: string } },
  actors: { remove: fromPromise<Reply<object>, { uid: string; purge: boolean; unlock: boolean }>(notProvided) },
  actions: {
    notifyStarted: sendParent({ type: 'removal.started' }),
    notifyStopped: sendParent({ type: 'removal.failed' }),
    notifyRemoved: enqueueActions(({ enqueue, system }, { reply }: { reply: Reply<unknown> }) => {
      enqueue(sendParent({ type: 'stream.removed' }))
      if (!reply.ok) raiseToast({ enqueue, system }, errorToast(reply.apiError))
    }),
    notifyFailed: enqueueActions(({ enqueue, system }, { apiError }: { apiError: ApiError }) => {
      enqueue(sendParent({ type: 'removal.failed' }))
      raiseToast({ enqueue, system }, errorToast(apiError))
    }),
  },
}).createMachine({
  id: 'removal',
  context: ({ input }) => ({ uid: input.uid, withArchive: true, lockReasons: [] }),
  initial: 'closed',
  states: {
    closed: {
      on: {
        'removal.requested': { target: 'confirming', actions: assign({ withArchive: true, lockReasons: [] }) },
      },
    },
    confirming: {
      on: {
        'removal.purgeChosen': { actions: assign({ withArchive: ({ event }) => event.withArchive }) },
        'removal.confirmed': 'removing',
        'removal.cancelled': 'closed',
      },
    },
    confirmingLocked: { on: { 'removal.confirmed': 'removing', 'removal.cancelled': 'closed' } },
    removing: {
      tags: 'busy',
      entry: 'notifyStarted',
      invoke: {
        id: 'remove',
        src: 'remove',
        input: ({ context }) => ({
          uid: context.uid,
          purge: context.withArchive,
          unlock: context.lockReasons.length > 0,
        }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok || event.output.apiError.status === 404,
            target: 'removed',
            actions: { type: 'notifyRemoved', params: ({ event }) => ({ reply: event.output }) },
          },
          {
            guard: ({ event }) => lockReasonsIn(event.output).length > 0,
            target: 'confirmingLocked',
            actions: ['notifyStopped', assign({ lockReasons: ({ event }) => lockReasonsIn(event.output) })],
          },
          {
            target: 'confirming',
            actions: { type: 'notifyFailed', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
          },
        ],
        onError: { target: 'confirming', actions: { type: 'notifyFailed', params: { apiError: unknownApiError } } },
      },
    },
    removed: { tags: 'busy' },
  },
})
