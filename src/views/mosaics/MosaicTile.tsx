import { useCallback, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { Maximize2, Minimize2, Play, Volume2, VolumeX } from 'lucide-react'
import type { SnapshotFrom } from 'xstate'
import type { Stage } from '../../api/media/stage.ts'
import type { Stream } from '../../api/contract/stream.ts'
import { pathTo } from '../../machines/app/routes.ts'
import type { Tile } from '../../machines/mosaics/mosaic-grid.ts'
import type { TileRef } from '../../machines/mosaics/lane.machine.ts'
import type { mediaMachine } from '../../machines/player/media.machine.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useConsole } from '../app/console.ts'
import { tilePlace } from './tile-place.ts'
import styles from './Mosaic.module.css'

interface MosaicTileProps {
  cell: Tile
  stream: Stream | undefined
  tile: TileRef
  stage: Stage
  isAudible: boolean
  isEnlarged: boolean
  onSound: () => void
  onEnlarge: () => void
}

type Snapshot = SnapshotFrom<typeof mediaMachine>
type Look = 'off' | 'loading' | 'live' | 'stalled' | 'broken' | 'codec' | 'refused'

function selectLook(snapshot: Snapshot): Look {
  if (snapshot.matches('idle')) return 'off'
  if (snapshot.matches('unplayable')) return 'codec'
  if (snapshot.matches('refused')) return 'refused'
  if (snapshot.matches('interrupted')) return 'broken'
  if (snapshot.matches({ ready: { running: 'stalled' } })) return 'stalled'
  return snapshot.matches('ready') ? 'live' : 'loading'
}

/** One camera of a mosaic: its picture, its name and how it is doing; its trouble is its own. */
export function MosaicTile({ cell, stream, tile, stage, isAudible, isEnlarged, onSound, onEnlarge }: MosaicTileProps) {
  const { t } = useLingui()
  const { app } = useConsole()
  const look = useSelector(tile, selectLook)
  const still = useRef<HTMLCanvasElement>(null)
  const takeVideo = useCallback(
    (video: HTMLVideoElement | null) => (still.current === null || video === null ? undefined : stage.attach(video, still.current)),
    [stage],
  )
  const name = stream?.name || cell.streamUid
  const words: Record<Look, string> = {
    off: stream === undefined ? t`Gone, or not yours to see` : t`Not available`,
    loading: t`Loading…`,
    live: t`Live`,
    stalled: t`Waiting for the picture`,
    broken: t`Connection lost, trying again`,
    codec: t`This browser can't play the camera's codec`,
    refused: t`You don't have access`,
  }
  return (
    <article
      className={styles.tile}
      style={{ ...tilePlace(cell), ...(stream?.meta.marker ? { '--marker': stream.meta.marker } : {}) }}
      data-look={look}
      data-enlarged={isEnlarged || undefined}
      aria-label={`${name}: ${words[look]}`}
      onDoubleClick={onEnlarge}
    >
      <canvas ref={still} className={styles.picture} aria-hidden="true" hidden />
      <video ref={takeVideo} className={styles.picture} playsInline disableRemotePlayback tabIndex={-1}>
        <track kind="captions" />
      </video>
      {look !== 'live' && <p className={styles.words}>{words[look]}</p>}
      <div className={styles.caption}>
        <i className={styles.mark} data-look={look} aria-hidden="true" />
        <span className={styles.name}>{name}</span>
        <span className={styles.tools}>
          <IconButton
            label={isAudible ? t`Silence ${name}` : t`Listen to ${name}`}
            icon={isAudible ? <Volume2 size={16} /> : <VolumeX size={16} />}
            variant="overlay"
            placement="top"
            pressed={isAudible}
            onPress={onSound}
          />
          <IconButton
            label={t`Open ${name}`}
            icon={<Play size={16} />}
            variant="overlay"
            placement="top"
            onPress={() => app.send({ type: 'navigation.requested', href: pathTo('streamView', { uid: cell.streamUid }) })}
          />
          <IconButton
            label={isEnlarged ? t`Show all` : t`Enlarge ${name}`}
            icon={isEnlarged ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
            variant="overlay"
            placement="top"
            onPress={onEnlarge}
          />
        </span>
      </div>
    </article>
  )
}
