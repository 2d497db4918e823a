import { lazy, Suspense, useState } from 'react'
import { type AppRef, selectRoute } from '../../machines/app/app.selectors.ts'
import { ErrorBoundary } from '../app/ErrorBoundary.tsx'
import { useApp, useConsole } from '../app/console.ts'

const nothing = () => null

/** Loads the tray with the first player, where downloads start; it stays from then on. */
export function Downloads() {
  const { app, extras } = useConsole()
  const isPlayer = useApp(selectRoute).name === 'streamView'
  const [Tray, setTray] = useState<ReturnType<typeof lazyTray> | null>(null)
  if (isPlayer && Tray === null) setTray(lazyTray(app, extras))
  if (Tray === null) return null
  return (
    <ErrorBoundary fallback={nothing}>
      <Suspense>
        <Tray isRaised={isPlayer} />
      </Suspense>
    </ErrorBoundary>
  )
}

const lazyTray = (app: AppRef, extras: ReturnType<typeof useConsole>['extras']) =>
  lazy(async () => (await extras()).tray(app))
