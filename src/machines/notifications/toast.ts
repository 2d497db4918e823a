import type { ActorRefFrom, ActorSystem } from 'xstate'
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
