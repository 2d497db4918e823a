import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { selectIsSilenced, selectSound, type MediaRef, type PlayerRef } from '../../machines/player/player.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './Controls.module.css'

export function Sound({ player, media, hasVolume }: { player: PlayerRef; media: MediaRef; hasVolume: boolean }) {
  const { t } = useLingui()
  const { volume, isMuted } = useSelector(media, selectSound)
  const isSilenced = useSelector(media, selectIsSilenced)
  const isQuiet = isMuted || isSilenced
  const icon = isQuiet ? <VolumeX size={20} /> : volume < 0.5 ? <Volume1 size={20} /> : <Volume2 size={20} />
  return (
    <>
      <IconButton
        label={t`Mute`}
        variant="overlay"
        placement="top"
        shortcut="M"
        pressed={isQuiet}
        icon={icon}
        onPress={() => player.send({ type: 'mute.toggled' })}
      />
      {hasVolume && (
        <input
          className={styles.volume}
          type="range"
          aria-label={t`Volume`}
          min={0}
          max={1}
          step={0.05}
          value={isQuiet ? 0 : volume}
          onChange={(event) => player.send({ type: 'volume.chosen', volume: event.target.valueAsNumber })}
        />
      )}
    </>
  )
}
