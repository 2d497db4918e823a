import type { ActorRefFrom, ActorSystem } from 'xstate'
import type { notificationsMachine } from '../../machines/notifications/notifications.machine.ts'

type ConsoleSystem = ActorSystem<{ actors: { notifications: ActorRefFrom<typeof notificationsMachine> } }>

export const raiseFailure = (system: Pick<ConsoleSystem, 'get'>, code: string): void =>
  system.get('notifications')?.send({ type: 'notification.raised', tone: 'error', code })

/** Loads code that a press asked for, and uses it; undefined and a toast if it could not be loaded. */
export async function loadPart<Part, Result>(
  system: Pick<ConsoleSystem, 'get'>,
  load: () => Promise<Part>,
  onLoaded: (part: Part) => Result | Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await onLoaded(await load())
  } catch {
    raiseFailure(system, 'NoResponse')
    return undefined
  }
}
