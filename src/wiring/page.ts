import type { ReactNode } from 'react'
import { type ActorRefFrom, type AnyActorLogic, type AnyActorRef, setup } from 'xstate'

export interface Page {
  logic: AnyActorLogic
  View(props: { actor: AnyActorRef }): ReactNode
}

export type PageLoader = () => Promise<{ page: Page }>

/** Pairs a view with its machine: the types of the pair are checked here, and lost from here on. */
export function definePage<Logic extends AnyActorLogic>(page: {
  logic: Logic
  View(props: { actor: ActorRefFrom<Logic> & AnyActorRef }): ReactNode
}): Page {
  return page
}

const staticMachine = setup({}).createMachine({ id: 'static' })

/** A page without behaviour. */
export const staticPage = (View: () => ReactNode): Page => ({ logic: staticMachine, View })
