import type { ActorRef, ActorSystem, AnyActorRef, Snapshot } from 'xstate'

export type LocationCommand =
  /**
   * `replace` leaves no step to go back to and isn't held. A page isn't notified of what it writes itself (`isOfPage`).
   */
  | { type: 'location.written'; href: string; replace: boolean; isOfPage?: true }
  /** `by` would lose something if the page were left: it gets `leave.attempted`, and may grant it. */
  | { type: 'location.held'; by: AnyActorRef }
  | { type: 'location.released'; by: AnyActorRef }
  | { type: 'leave.granted'; by: AnyActorRef }
  | { type: 'leave.requested' }

type AppSystem = ActorSystem<{ actors: { location: ActorRef<Snapshot<unknown>, LocationCommand> } }>

export const locationOf = (system: Pick<AppSystem, 'get'>) => system.get('location')
