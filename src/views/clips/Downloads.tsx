import { useState } from 'react'
import { selectRoute } from '../../machines/app/app.selectors.ts'
import { DeferredPart } from '../app/DeferredPart.tsx'
import { useApp, useConsole } from '../app/console.ts'
import { deferred } from '../ui/deferred.ts'

/** Loads the tray with the first player, where downloads start; it stays from then on. */
export function Downloads() {
  const { app, extras } = useConsole()
  const isPlayer = useApp(selectRoute).name === 'streamView'
  const [tray] = useState(() => deferred(async () => (await extras()).tray(app)))
  const [isNeeded, setNeeded] = useState(false)
  if (isPlayer && !isNeeded) setNeeded(true)
  return (
    <DeferredPart module={tray} isNeeded={isNeeded} retryKey={isPlayer}>
      {({ default: Tray }) => <Tray isRaised={isPlayer} />}
    </DeferredPart>
  )
}
