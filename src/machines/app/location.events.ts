import type { ActorRef, ActorSystem, AnyActorRef, Snapshot } from 'xstate'

export type LocationCommand =
  /** `replace` adds no history entry and is never blocked. `isOfPage`: the page writes it and isn't notified of it. */
  | { type: 'location.written'; href: string; replace: boolean; isOfPage?: true }
  /**
   * Blocks leaving the page for the form `by`: it then gets `leave.attempted` and may send `leave.granted`, or gets
   * `leave.confirmed` if another form asked.
   */
  | { type: 'location.held'; by: AnyActorRef }
  | { type: 'location.released'; by: AnyActorRef }
  | { type: 'leave.granted'; by: AnyActorRef }
  /** Signing out failed: the forms that have granted leaving get `leave.cancelled`, and block again. */
  | { type: 'leave.failed' }
  /** The user asks to sign out: once no form blocks leaving, the root machine gets `session.closeGranted`. */
  | { type: 'leave.requested' }

type ConsoleSystem = ActorSystem<{ actors: { location: ActorRef<Snapshot<unknown>, LocationCommand> } }>

export const locationOf = (system: Pick<ConsoleSystem, 'get'>) => system.get('location')
