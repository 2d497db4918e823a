import type { ActorRef, ActorSystem, AnyActorRef, Snapshot } from 'xstate'

/** What the actor of the browser's address is asked; it answers the root. */
export type LocationCommand =
  /**
   * Goes to an address below /ui, once nobody holds the page; `replace` leaves no step to go back to and isn't held.
   * What a page writes of itself, `isOfPage`, the page isn't told of.
   */
  | { type: 'location.written'; href: string; replace: boolean; isOfPage?: true }
  /** `by` would lose something if the page were left: it hears `leave.attempted`, and may grant it. */
  | { type: 'location.held'; by: AnyActorRef }
  | { type: 'location.released'; by: AnyActorRef }
  | { type: 'leave.granted'; by: AnyActorRef }
  /** Leaving by a way that is no navigation, signing out. */
  | { type: 'leave.requested' }

type Rooms = ActorSystem<{ actors: { location: ActorRef<Snapshot<unknown>, LocationCommand> } }>

/** The address of the running console; undefined where a machine runs alone. */
export const locationOf = (system: Pick<Rooms, 'get'>) => system.get('location')
