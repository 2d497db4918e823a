import { type PointerEvent, useCallback, useEffect, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { Maximize2, Minimize2, Play, Volume2, VolumeX } from 'lucide-react'
import type { PlaybackClock, VideoPort } from '../../api/media/controller/media-controller.ts'
import type { Mask } from '../../api/contract/masks.ts'
import type { Stream } from '../../api/contract/stream.ts'
import { pathTo } from '../../machines/app/routes.ts'
import type { Tile } from '../../machines/mosaics/mosaic-grid.ts'
import { selectTrackState, type TrackState } from '../../machines/mosaics/sync-playback.selectors.ts'
import type { TileRef } from '../../machines/mosaics/track.events.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useConsole } from '../app/console.ts'
import { MaskedVideo } from '../player/MaskedVideo.tsx'
import { usePictureNote } from '../player/rendition-words.ts'
import { useDelay } from '../player/use-delay.ts'
import { ArchiveTools, isInArchive, type TileArchive } from './ArchiveTools.tsx'
import { lookOf, selectLook } from './tile-look.ts'
import { tileArea } from './tile-area.ts'
import { useTileWords } from './use-tile-words.ts'
import styles from './Mosaic.module.css'
import marks from './TileMark.module.css'
import sign from './TileSign.module.css'

const noMasks: readonly Mask[] = []
const classes = { still: styles.picture, video: styles.picture, masks: styles.masks }

interface MosaicTileProps {
  /** The rectangle of the tile in the grid. */
  cell: Tile
  /** Typed on the keyboard, it enlarges the tile. */
  number: number
  stream: Stream | undefined
  isAvailable: boolean
  isPaused: boolean
  zone: string
  /** The machine that plays the stream of the tile. */
  tile: TileRef
  controller: VideoPort & PlaybackClock
  serverNow: () => number
  /** Null while the archive of the mosaic is closed. */
  archive: TileArchive | null
  isAudible: boolean
  isEnlarged: boolean
  isTapped: boolean
  onSound: () => void
  onEnlarge: () => void
  onTap: (event: PointerEvent) => void
  /** Reports whether the tile is in the viewport. */
  onSeen: (isSeen: boolean) => void
}

export function MosaicTile({
  cell,
  number,
  stream,
  isAvailable,
  isPaused,
  zone,
  tile,
  controller,
  serverNow,
  archive,
  isAudible,
  isEnlarged,
  isTapped,
  onSound,
  onEnlarge,
  onTap,
  onSeen,
}: MosaicTileProps) {
  const { t } = useLingui()
  const { app } = useConsole()
  const trackState = useSelector(archive?.track, (snapshot) =>
    snapshot === undefined ? 'live' : selectTrackState(snapshot),
  )
  const pictureNote = usePictureNote(tile)
  const look = lookOf(trackState, useSelector(tile, selectLook), { isAvailable, isPaused })
  const shownAt = useCallback(() => controller.positionAt(), [controller])
  const words = useTileWords({ tile, stream, look, state: trackState, zone, shownAt })
  const delay = useDelay(shownAt, serverNow, look === 'live')
  const article = useRef<HTMLElement>(null)
  const latestOnSeen = useRef(onSeen)
  useEffect(() => {
    latestOnSeen.current = onSeen
  })
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1)
      if (last !== undefined) latestOnSeen.current(last.isIntersecting)
    })
    if (article.current !== null) observer.observe(article.current)
    return () => observer.disconnect()
  }, [])
  const name = stream?.name || cell.streamUid
  const masks = stream?.masks ?? noMasks
  const phrases = [words.title, words.reason.replace(/\.$/, ''), words.since].filter((text) => text !== '')
  return (
    <article
      ref={article}
      className={styles.tile}
      style={{
        ...(isEnlarged ? {} : tileArea(cell)),
        ...(stream?.meta.marker ? { '--marker': stream.meta.marker } : {}),
      }}
      data-look={look}
      data-enlarged={isEnlarged || undefined}
      data-tapped={isTapped || undefined}
      aria-label={`${name}: ${phrases.join(', ')}`}
      onPointerDownCapture={(event) => event.pointerType !== 'mouse' && onTap(event)}
      onDoubleClick={({ target }) => !(target instanceof Element && target.closest('button') !== null) && onEnlarge()}
    >
      <MaskedVideo controller={controller} masks={masks} classes={classes} />
      {look !== 'live' && look !== 'archive' && (
        <div className={sign.sign}>
          <p className={sign.words}>
            <strong>{words.title}</strong>
            {words.reason !== '' && <span>{words.reason}</span>}
            {words.since !== '' && <span className={sign.since}>{words.since}</span>}
          </p>
        </div>
      )}
      {(trackState === 'forbidden' || trackState === 'left') && look === 'live' && (
        <p className={styles.note}>{words.title}</p>
      )}
      {pictureNote !== null && (look === 'live' || look === 'archive') && (
        <p className={styles.pictureNote} title={pictureNote}>
          {pictureNote}
        </p>
      )}
      <div className={styles.caption}>
        <i className={marks.mark} data-look={look} aria-hidden="true" />
        <button type="button" className={styles.name} title={name} onClick={onEnlarge}>
          {name}
        </button>
        {delay !== null && <span className={sign.delay}>{delay}</span>}
      </div>
      <span className={styles.tools}>
        {archive?.isArchive === true && (
          <ArchiveTools name={name} controller={controller} archive={archive} state={trackState} />
        )}
        <IconButton
          label={isAudible ? t`Mute ${name}` : t`Unmute ${name}`}
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
              href: pathTo('streamView', { uid: cell.streamUid }) + momentQuery(trackState, controller),
            })
          }
        />
        <IconButton
          label={isEnlarged ? t`Show all` : t`Enlarge ${name}`}
          icon={isEnlarged ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
          variant="overlay"
          placement="top"
          shortcut={String(number)}
          onPress={onEnlarge}
        />
      </span>
    </article>
  )
}

/** The query with which the player opens at the moment that the tile shows; '' for live. */
function momentQuery(state: TrackState, controller: PlaybackClock): string {
  const at = isInArchive(state) ? controller.positionAt() : null
  return at === null ? '' : `?at=${new Date(at).toISOString()}`
}
