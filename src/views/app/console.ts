import { useSelector } from '@xstate/react'
import { type ReactNode, createContext, useContext } from 'react'
import type { AnyActorRef, SnapshotFrom } from 'xstate'
import type { appMachine } from '../../machines/app/app.machine.ts'
import type { AppRef } from '../../machines/app/app.selectors.ts'
import type { RouteName } from '../../machines/app/routes.ts'

export type PageView = (props: { actor: AnyActorRef }) => ReactNode

/** What every view may reach: the root actor, the views of pages already loaded, the clipboard and downloads. */
interface Console {
  app: AppRef
  viewOf: (name: RouteName) => PageView | undefined
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
