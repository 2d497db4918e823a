import { useEffect, useState } from 'react'
import { useSelector } from '@xstate/react'
import { selectAddress } from '../../machines/app/app.selectors.ts'
import { isKiosk } from '../../machines/mosaics/kiosk.ts'
import { selectIsPaused, type MosaicRef } from '../../machines/mosaics/mosaic.selectors.ts'
import { selectContext } from '../../machines/selectors.ts'
import { useApp } from '../app/console.ts'
import { Resource } from '../ui/Resource.tsx'
import type { MosaicPorts } from './ports.ts'
import { Wall } from './Wall.tsx'
import styles from './Mosaic.module.css'

/** Shows a mosaic. `?kiosk=1` hides everything but the tiles; `cycle=20s` enlarges each tile in turn. */
export function MosaicPage({ actor, ports }: { actor: MosaicRef; ports: MosaicPorts }) {
  const { mosaic, apiError } = useSelector(actor, selectContext)
  const [screen, setScreen] = useState<HTMLElement | null>(null)
  const address = useApp(selectAddress)
  useEffect(() => (screen === null ? undefined : ports.attachScreen(screen)), [ports, screen])
  const isPaused = useSelector(actor, selectIsPaused)
  useEffect(() => (isPaused ? undefined : ports.keepAwake()), [ports, isPaused])
  return (
    <div ref={setScreen} className={styles.screen} data-kiosk={isKiosk(address) || undefined}>
      <Resource value={mosaic} apiError={apiError} onRetry={() => actor.send({ type: 'mosaic.retried' })}>
        {(shown) => <Wall mosaic={shown} actor={actor} ports={ports} />}
      </Resource>
    </div>
  )
}
