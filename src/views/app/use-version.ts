import { useSelector } from '@xstate/react'
import { selectHealth, selectSettings } from '../../machines/app/app.selectors.ts'
import { useApp } from './console.ts'

/** The server's version from the settings, else from its health; '' if neither has it. */
export function useVersion(): string {
  const { version } = useApp(selectSettings)
  const healthVersion = useSelector(useApp(selectHealth), (snapshot) => snapshot?.context.health?.version ?? '')
  return version || healthVersion
}
