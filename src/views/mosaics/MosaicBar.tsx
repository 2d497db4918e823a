import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { BellOff, BellRing, Camera, History, Maximize, Pause, Play } from 'lucide-react'
import { IconButton } from '../ui/IconButton.tsx'
import {
  selectIsAlarmOn,
  selectIsPaused,
  selectSyncPlayback,
  type MosaicRef,
} from '../../machines/mosaics/mosaic.selectors.ts'
import type { MosaicPorts } from './ports.ts'
import styles from './Mosaic.module.css'

interface MosaicBarProps {
  actor: MosaicRef
  ports: MosaicPorts
  isArchive: boolean
  onSnapshot: () => void
}

export function MosaicBar({ actor, ports, isArchive, onSnapshot }: MosaicBarProps) {
  const { t } = useLingui()
  const isPaused = useSelector(actor, selectIsPaused)
  const isAlarmOn = useSelector(actor, selectIsAlarmOn)
  const syncPlayback = useSelector(actor, selectSyncPlayback)
  return (
    <div className={styles.bar}>
      <IconButton
        label={t`Archive`}
        icon={<History size={20} />}
        variant="overlay"
        placement="top"
        pressed={syncPlayback !== undefined}
        onPress={() => actor.send({ type: syncPlayback === undefined ? 'archive.opened' : 'archive.closed' })}
      />
      {!isArchive && (
        <IconButton
          label={isPaused ? t`Play all` : t`Pause all`}
          icon={isPaused ? <Play size={20} /> : <Pause size={20} />}
          variant="overlay"
          placement="top"
          shortcut="K"
          onPress={() => actor.send({ type: isPaused ? 'mosaic.resumed' : 'mosaic.paused' })}
        />
      )}
      <IconButton
        label={t`Sound an alarm when a camera is lost`}
        icon={isAlarmOn ? <BellRing size={20} /> : <BellOff size={20} />}
        variant="overlay"
        placement="top"
        pressed={isAlarmOn}
        onPress={() => actor.send({ type: 'alarm.toggled' })}
      />
      <IconButton
        label={t`Snapshot`}
        icon={<Camera size={20} />}
        variant="overlay"
        placement="top"
        shortcut="S"
        onPress={onSnapshot}
      />
      {ports.canFillScreen && (
        <IconButton
          label={t`Full screen`}
          icon={<Maximize size={20} />}
          variant="overlay"
          placement="top"
          shortcut="F"
          onPress={ports.toggleScreen}
        />
      )}
    </div>
  )
}
