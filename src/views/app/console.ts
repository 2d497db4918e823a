import { useSelector } from '@xstate/react'
import { type ReactNode, createContext, useContext } from 'react'
import type { AnyActorRef, SnapshotFrom } from 'xstate'
import type { appMachine } from '../../machines/app/app.machine.ts'
import type { AppRef } from '../../machines/app/app.selectors.ts'
import type { RouteName } from '../../machines/app/routes.ts'
import type { PageEntry } from '../../machines/palette/choices.ts'

/** `isRaised` on the player's page, where the tray must not cover the timeline. */
export type TrayView = (props: { isRaised: boolean }) => ReactNode

interface Palette {
  default: () => ReactNode
  toggle: (app: AppRef, pages: readonly PageEntry[]) => Promise<void>
}

/** Parts of the shell whose code is loaded when first needed: the downloads and the command palette. */
export interface Extras {
  tray: (app: AppRef) => Promise<{ default: TrayView }>
  palette: () => Promise<Palette>
}

export type PageView = (props: { actor: AnyActorRef }) => ReactNode

interface Console {
  app: AppRef
  /** The path of the console, before the paths of its routes. */
  consolePath: string
  viewOf: (name: RouteName) => PageView | undefined
  extras: () => Promise<Extras>
  copyText: (text: string) => Promise<boolean>
  saveText: (name: string, type: string, text: string) => void
  /** Runs a task once the browser has nothing else to do. */
  whenIdle: (task: () => void) => void
}

const ConsoleContext = createContext<Console | null>(null)

export const ConsoleProvider = ConsoleContext.Provider

export function useConsole(): Console {
  const value = useContext(ConsoleContext)
  if (value === null) throw new Error('outside ConsoleProvider')
  return value
}

export function useApp<T>(selector: (snapshot: SnapshotFrom<typeof appMachine>) => T): T {
  return useSelector(useConsole().app, selector)
}
