import type { ReactNode } from 'react'
import type { ActorRefFrom, AnyActorLogic, AnyActorRef } from 'xstate'

/** A page: its machine with real actors, and the view that subscribes to it. `logic` null: the page has no behaviour. */
export interface Page {
  logic: AnyActorLogic | null
  View(props: { actor: AnyActorRef }): ReactNode
}

/** Ties a view to the machine it is written for; the one place where the type of the pair is let go. */
export function definePage<Logic extends AnyActorLogic>(page: {
  logic: Logic
  View(props: { actor: ActorRefFrom<Logic> & AnyActorRef }): ReactNode
}): Page {
  return page
}
