import type { ActorRefFrom, ActorSystem } from 'xstate'
import type { appMachine } from '../../machines/app/app.machine.ts'

export type ConsoleSystem = ActorSystem<{ actors: { app: ActorRefFrom<typeof appMachine> } }>

/** The login of whoever is signed in; '' for a guest. */
export const ownerIn = (system: Pick<ConsoleSystem, 'get'>): string =>
  system.get('app')?.getSnapshot().context.user?.name ?? ''
