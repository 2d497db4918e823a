import type { ActorRefFrom, ActorSystem } from 'xstate'
import type { notificationsMachine } from './notifications.machine.ts'

export type NotificationsRef = ActorRefFrom<typeof notificationsMachine>
type Rooms = ActorSystem<{ actors: { notifications: NotificationsRef } }>

/** The notifications of the running console; undefined where a machine runs alone. */
export const notificationsOf = (system: Pick<Rooms, 'get'>): NotificationsRef | undefined => system.get('notifications')
