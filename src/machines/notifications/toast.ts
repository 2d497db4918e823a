import { type ActorRefFrom, type ActorSystem, type EventObject, fromCallback } from 'xstate'
import type { ApiError } from '../../api/reply.ts'
import type { NotificationsEvent, notificationsMachine } from './notifications.machine.ts'

type NotificationsRef = ActorRefFrom<typeof notificationsMachine>
type ConsoleSystem = ActorSystem<{ actors: { notifications: NotificationsRef } }>

export interface ToastSender {
  enqueue: { sendTo: (notifications: NotificationsRef, event: NotificationsEvent) => void }
  system: Pick<ConsoleSystem, 'get'>
}

export type Toast = Omit<Extract<NotificationsEvent, { type: 'notification.raised' }>, 'type'>

function send({ enqueue, system }: ToastSender, event: NotificationsEvent): void {
  const notifications: NotificationsRef | undefined = system.get('notifications')
  if (notifications) enqueue.sendTo(notifications, event)
}

/** The toast of an error. */
export const errorToast = ({ code, requestId }: ApiError) => ({
  tone: 'error' as const,
  code,
  ...(requestId === undefined ? {} : { requestId }),
})

/** Raises a toast; without the notifications machine, as in a test of a single machine, nothing happens. */
export const raiseToast = (machine: ToastSender, toast: Toast): void =>
  send(machine, { type: 'notification.raised', ...toast })

/** For `enqueueActions`: raises the toast of an error. */
export const raiseErrorToast = (machine: ToastSender, { apiError }: { apiError: ApiError }): void =>
  raiseToast(machine, errorToast(apiError))

export const withdrawToast = (machine: ToastSender, key: string): void =>
  send(machine, { type: 'notification.withdrawn', key })

/** Withdraws the errors that would expire, for `enqueueActions`. */
export const withdrawErrors = (machine: ToastSender): void => send(machine, { type: 'errors.withdrawn' })

/** Withdraws the toast of a key once the state that invokes it ends, or its machine. */
export const toastWithdrawal = fromCallback<EventObject, { key: string }>(({ input: { key }, system }) => () => {
  const notifications: NotificationsRef | undefined = system.get('notifications')
  if (notifications?.getSnapshot().status === 'active') notifications.send({ type: 'notification.withdrawn', key })
})
