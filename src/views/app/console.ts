import { useSelector } from '@xstate/react'
import { type ReactNode, createContext, useContext } from 'react'
import type { AnyActorRef, SnapshotFrom } from 'xstate'
import type { appMachine } from '../../machines/app/app.machine.ts'
import type { AppRef } from '../../machines/app/app.selectors.ts'
import type { RouteName } from '../../machines/app/routes.ts'
import type { PageEntry } from '../../machines/palette/choices.ts'

/** `isRaised` while a player is below it, whose timeline and controls it keeps clear of. */
export type TrayView = (props: { isRaised: boolean }) => ReactNode

/** The command palette: its view, and what opens it or closes it again. */
export interface Palette {
  default: () => ReactNode
  toggle: (app: AppRef, pages: readonly PageEntry[]) => Promise<void>
}

/** Parts of the shell that are fetched when they are first needed: this visit's downloads and the command palette. */
export interface Extras {
  tray: (app: AppRef) => Promise<{ default: TrayView }>
  palette: () => Promise<Palette>
}

export type PageView = (props: { actor: AnyActorRef }) => ReactNode

/** What every view may reach: the root actor, the views of pages already loaded, the clipboard and what is saved. */
interface Console {
  app: AppRef
  viewOf: (name: RouteName) => PageView | undefined
  extras: () => Promise<Extras>
  /** Whether the text is on the clipboard now. */
  copyText: (text: string) => Promise<boolean>
  /** Hands a text to the browser as a file to keep. */
  saveText: (name: string, type: string, text: string) => void
}

const ConsoleContext = createContext<Console | null>(null)

export const ConsoleProvider = ConsoleContext.Provider

export function useConsole(): Console {
  const value = useContext(ConsoleContext)
  if (value === null) throw new Error('outside ConsoleProvider')
  return value
}

/** What a selector of the root machine says now. */
export function useApp<T>(selector: (snapshot: SnapshotFrom<typeof appMachine>) => T): T {
  return useSelector(useConsole().app, selector)
}
