import { useCallback, useEffect, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { Link2, Maximize2, Minimize2, Play, Radio, SquaresIntersect, Volume2, VolumeX } from 'lucide-react'
import type { SnapshotFrom } from 'xstate'
import type { PlaybackClock, VideoPort } from '../../api/media/controller/media-controller.ts'
import type { Stream } from '../../api/contract/stream.ts'
import { pathTo } from '../../machines/app/routes.ts'
import type { Tile } from '../../machines/mosaics/mosaic-grid.ts'
import { selectTrackState, type TrackState } from '../../machines/mosaics/sync-playback.selectors.ts'
import type { TrackRef } from '../../machines/mosaics/track.machine.ts'
import type { TileRef } from '../../machines/mosaics/track.events.ts'
import type { mediaMachine } from '../../machines/player/media.machine.ts'
import { selectRefusedCodec } from '../../machines/player/player.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useConsole } from '../app/console.ts'
import { useCompatibleNote } from '../player/rendition-words.ts'
import { tilePlace } from './tile-place.ts'
import styles from './Mosaic.module.css'
import marks from './TileMark.module.css'

export interface TileArchive {
  track: TrackRef
  isArchive: boolean
  onLeave: () => void
  onJoin: () => void
  onShare: (at: number) => void
}

interface MosaicTileProps {
  cell: Tile
  place: number
  stream: Stream | undefined
  isAvailable: boolean
  isPaused: boolean
  tile: TileRef
  controller: VideoPort & PlaybackClock
  /** Null while the mosaic's archive isn't open. */
  archive: TileArchive | null
  isAudible: boolean
  isEnlarged: boolean
  onSound: () => void
  onEnlarge: () => void
  onSeen: (isSeen: boolean) => void
}

type Snapshot = SnapshotFrom<typeof mediaMachine>
type Look = 'off' | 'paused' | 'loading' | 'live' | 'archive' | 'gap' | 'stalled' | 'broken' | 'codec' | 'refused'

function selectLook(snapshot: Snapshot): Look {
  if (snapshot.matches('idle')) return 'off'
  if (snapshot.matches('unplayable')) return 'codec'
  if (snapshot.matches('refused')) return 'refused'
  if (snapshot.matches('interrupted')) return 'broken'
  if (snapshot.matches({ ready: { running: 'stalled' } })) return 'stalled'
  // While another rendition loads, the last frame of the one before stays.
  return snapshot.matches('ready') || snapshot.matches('switching') ? 'live' : 'loading'
}

/** Nothing is played: there is nothing to play, all is paused, or the tile only just came into sight. */
const lookAtRest = (isAvailable: boolean, isPaused: boolean): Look =>
  isAvailable ? (isPaused ? 'paused' : 'loading') : 'off'

function lookIn(state: TrackState, look: Look): Look {
  if (state === 'gap') return 'gap'
  if (state === 'finding' || (state === 'recorded' && look === 'off')) return 'loading'
  return state === 'recorded' && look === 'live' ? 'archive' : look
}

export function MosaicTile({
  cell,
  place,
  stream,
  isAvailable,
  isPaused,
  tile,
  controller,
  archive,
  isAudible,
  isEnlarged,
  onSound,
  onEnlarge,
  onSeen,
}: MosaicTileProps) {
  const { t } = useLingui()
  const { app } = useConsole()
  const trackState = useSelector(archive?.track, (snapshot) =>
    snapshot === undefined ? 'live' : selectTrackState(snapshot),
  )
  const codec = useSelector(tile, selectRefusedCodec)
  const compatible = useCompatibleNote(tile)
  const playerLook = lookIn(trackState, useSelector(tile, selectLook))
  const look = playerLook === 'off' ? lookAtRest(isAvailable, isPaused) : playerLook
  const still = useRef<HTMLCanvasElement>(null)
  const takeVideo = useCallback(
    (video: HTMLVideoElement | null) =>
      still.current === null || video === null ? undefined : controller.attach(video, still.current),
    [controller],
  )
  const article = useRef<HTMLElement>(null)
  const seen = useRef(onSeen)
  useEffect(() => {
    seen.current = onSeen
  })
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1)
      if (last !== undefined) seen.current(last.isIntersecting)
    })
    if (article.current !== null) observer.observe(article.current)
    return () => observer.disconnect()
  }, [])
  const name = stream?.name || cell.streamUid
  const words: Record<Look, string> = {
    off: stream === undefined ? t`Gone, or not yours to see` : t`Not available`,
    paused: t`Paused`,
    loading: t`Loading…`,
    live: trackState === 'forbidden' ? t`Live; its archive isn't yours to see` : t`Live`,
    archive: t`Archive`,
    gap: t`No recording`,
    stalled: t`Waiting for the picture`,
    broken: t`Connection lost, trying again`,
    codec: codec === null ? t`This browser can't play this video's format` : t`This browser can't play ${codec}`,
    refused: t`You don't have access`,
  }
  return (
    <article
      ref={article}
      className={styles.tile}
      style={{
        ...(isEnlarged ? {} : tilePlace(cell)),
        ...(stream?.meta.marker ? { '--marker': stream.meta.marker } : {}),
      }}
      data-look={look}
      data-enlarged={isEnlarged || undefined}
      aria-label={`${name}: ${words[look]}`}
      onDoubleClick={({ target }) => !(target instanceof Element && target.closest('button') !== null) && onEnlarge()}
    >
      <canvas ref={still} className={styles.picture} aria-hidden="true" hidden />
      <video ref={takeVideo} className={styles.picture} playsInline disableRemotePlayback tabIndex={-1}>
        <track kind="captions" />
      </video>
      {look !== 'live' && look !== 'archive' && <p className={styles.words}>{words[look]}</p>}
      {(trackState === 'forbidden' || trackState === 'left') && look === 'live' && (
        <p className={styles.note}>{words.live}</p>
      )}
      {compatible !== null && (look === 'live' || look === 'archive') && (
        <p className={styles.compatible} title={compatible}>
          {compatible}
        </p>
      )}
      <div className={styles.caption}>
        <i className={marks.mark} data-look={look} aria-hidden="true" />
        <button type="button" className={styles.name} title={name} onClick={onEnlarge}>
          {name}
        </button>
      </div>
      <span className={styles.tools}>
        {archive?.isArchive === true && (
          <ArchiveTools name={name} controller={controller} archive={archive} state={trackState} />
        )}
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
          onPress={() =>
            app.send({
              type: 'navigation.requested',
              href: pathTo('streamView', { uid: cell.streamUid }) + momentOf(trackState, controller),
            })
          }
        />
        <IconButton
          label={isEnlarged ? t`Show all` : t`Enlarge ${name}`}
          icon={isEnlarged ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
          variant="overlay"
          placement="top"
          shortcut={String(place)}
          onPress={onEnlarge}
        />
      </span>
    </article>
  )
}

const inArchive: ReadonlySet<TrackState> = new Set(['recorded', 'gap', 'finding'])

function momentOf(state: TrackState, controller: PlaybackClock): string {
  const at = inArchive.has(state) ? controller.positionAt() : null
  return at === null ? '' : `?at=${new Date(at).toISOString()}`
}

function ArchiveTools({
  name,
  controller,
  archive,
  state,
}: {
  name: string
  controller: PlaybackClock
  archive: TileArchive
  state: TrackState
}) {
  const { t } = useLingui()
  const share = () => {
    const at = controller.positionAt()
    if (at !== null) archive.onShare(at)
  }
  return (
    <>
      {state === 'left' && (
        <IconButton
          label={t`Play ${name} with the others`}
          icon={<Link2 size={16} />}
          variant="overlay"
          placement="top"
          onPress={archive.onJoin}
        />
      )}
      {inArchive.has(state) && (
        <IconButton
          label={t`Leave ${name} live`}
          icon={<Radio size={16} />}
          variant="overlay"
          placement="top"
          onPress={archive.onLeave}
        />
      )}
      {state !== 'gap' && (
        <IconButton
          label={t`Show this moment of ${name} on all`}
          icon={<SquaresIntersect size={16} />}
          variant="overlay"
          placement="top"
          onPress={share}
        />
      )}
    </>
  )
}
