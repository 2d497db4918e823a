import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { Grid2x2 } from 'lucide-react'
import type { Mosaic } from '../../api/contract/mosaic.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { commandOf, mosaicKeys, pressedKey } from '../../machines/keyboard/bindings.ts'
import { keyOf } from '../../machines/mosaics/mosaic-grid.ts'
import {
  selectCanExport,
  selectCanLock,
  selectExporting,
  selectIsPaused,
  selectLocking,
  selectSyncPlayback,
  type MosaicRef,
} from '../../machines/mosaics/mosaic.selectors.ts'
import { selectIsArchive, selectIsPlaying } from '../../machines/mosaics/sync-playback.selectors.ts'
import { isAvailable } from '../../machines/mosaics/tile-slots.ts'
import { selectContext } from '../../machines/selectors.ts'
import { useIdle } from '../player/use-idle.ts'
import { withMessages } from '../../i18n/i18n.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { deferred, useDeferred } from '../ui/deferred.ts'
import { StatePanel } from '../ui/State.tsx'
import { MosaicBar } from './MosaicBar.tsx'
import { MosaicDialogs } from './MosaicDialogs.tsx'
import { MosaicTile } from './MosaicTile.tsx'
import type { MosaicPorts } from './ports.ts'
import { syncPlaybackKey } from './sync-playback-keys.ts'
import { selectIsInArchive, useTileArchive } from './use-tile-archive.ts'
import styles from './Mosaic.module.css'

const archivePanel = deferred(() => withMessages(import('./ArchivePanel.tsx')))

export function Wall({ mosaic, actor, ports }: { mosaic: Mosaic; actor: MosaicRef; ports: MosaicPorts }) {
  const { t } = useLingui()
  const region = useRef<HTMLElement>(null)
  /** Unless something else has the focus, the mosaic takes it, so that its keys work. */
  useEffect(() => {
    if (document.activeElement?.contains(region.current) === true) region.current?.focus({ preventScroll: true })
  }, [])
  const { tiles, focused, enlarged, limits } = useSelector(actor, selectContext)
  const isPaused = useSelector(actor, selectIsPaused)
  const syncPlayback = useSelector(actor, selectSyncPlayback)
  const isArchive = useSelector(syncPlayback, selectIsInArchive)
  const parts = useDeferred(archivePanel, syncPlayback !== undefined)
  const archive = useTileArchive(syncPlayback, isArchive)
  const clock = useCallback(
    () =>
      syncPlayback !== undefined && selectIsArchive(syncPlayback.getSnapshot()) ? Math.round(ports.clock()) : null,
    [syncPlayback, ports],
  )
  const canExport = useSelector(actor, selectCanExport)
  const exporting = useSelector(actor, selectExporting)
  const canLock = useSelector(actor, selectCanLock)
  const locking = useSelector(actor, selectLocking)
  const idle = useIdle(3000)
  /** The tile that a finger tapped last, which shows its tools for a while. */
  const [tapped, setTapped] = useState<string | null>(null)
  const zone = ports.zoneOf(limits.timezone)
  const nameOf = (uid: string) => mosaic.streams?.find((stream) => stream.uid === uid)?.name || uid
  const enlarge = (key: string) => actor.send({ type: 'tile.enlarged', key: enlarged === key ? null : key })
  const takeSnapshot = () =>
    region.current !== null && ports.takeSnapshot(actor, region.current, { name: mosaic.name, zone, at: clock() })
  const togglePlaying = () => {
    const snapshot = syncPlayback?.getSnapshot()
    if (snapshot !== undefined && selectIsArchive(snapshot))
      syncPlayback?.send({ type: selectIsPlaying(snapshot) ? 'pause.requested' : 'play.requested' })
    else {
      // Pausing closes the archive: the mosaic takes the focus of its panel, so that its keys work.
      if (syncPlayback !== undefined && region.current?.contains(document.activeElement) === false)
        region.current.focus({ preventScroll: true })
      actor.send({ type: isPaused ? 'mosaic.resumed' : 'mosaic.paused' })
    }
  }
  const press = (event: KeyboardEvent) => {
    const isIn = (selector: string) => event.target instanceof HTMLElement && event.target.closest(selector) !== null
    if (isIn('[role="menu"]') || event.ctrlKey || event.metaKey || event.altKey) return
    const key = pressedKey(event)
    const command = commandOf(mosaicKeys, key)
    if (
      event.repeat &&
      (command === 'fullScreen' || command === 'snapshot' || command === 'toggle' || command === 'mute')
    ) {
      if (!isIn('button, a, input')) event.preventDefault()
      return
    }
    if (command === 'enlarge') actor.send({ type: 'digit.typed', digit: event.key })
    else if (command === 'shrink' && enlarged !== null) actor.send({ type: 'tile.enlarged', key: null })
    else if (command === 'fullScreen' && !isIn('input')) ports.toggleScreen()
    else if (command === 'snapshot' && !isIn('input')) takeSnapshot()
    else if (command === 'mute' && !isIn('input'))
      actor.send({ type: 'tile.focused', key: focused === null ? enlarged : null })
    else if (command === 'toggle' && !(key === ' ' && isIn('button, a, input'))) togglePlaying()
    else {
      const run = syncPlayback === undefined ? undefined : syncPlaybackKey(syncPlayback, key, clock)
      if (run === undefined) return
      run()
    }
    event.preventDefault()
  }
  if (mosaic.cells.length === 0) return <EmptyMosaic mosaic={mosaic} />
  return (
    <>
      <section
        ref={region}
        className={styles.region}
        aria-label={mosaic.name || t`Mosaic`}
        tabIndex={-1}
        onKeyDown={press}
        data-still={idle.isIdle || undefined}
        onPointerMove={idle.wake}
        // A finger that lifts leaves, too.
        onPointerLeave={(event) => event.pointerType === 'mouse' && idle.rest()}
      >
        <div
          className={styles.wall}
          data-enlarged={enlarged !== null || undefined}
          style={{ gridTemplate: `repeat(${mosaic.rows}, minmax(0, 1fr)) / repeat(${mosaic.columns}, minmax(0, 1fr))` }}
        >
          {mosaic.cells.map((cell, index) => {
            const key = keyOf(cell)
            const tile = tiles[key]
            const stream = mosaic.streams?.find(({ uid }) => uid === cell.streamUid)
            return (
              tile !== undefined && (
                <MosaicTile
                  key={key}
                  cell={cell}
                  number={index + 1}
                  stream={stream}
                  isAvailable={isAvailable(stream, limits)}
                  isPaused={isPaused}
                  zone={zone}
                  tile={tile}
                  controller={ports.controllerOf(tile)}
                  serverNow={ports.serverNow}
                  archive={archive(key)}
                  isAudible={focused === key}
                  isEnlarged={enlarged === key}
                  isTapped={tapped === key && !idle.isIdle}
                  onSound={() => actor.send({ type: 'tile.focused', key: focused === key ? null : key })}
                  onEnlarge={() => enlarge(key)}
                  onTap={(event) => {
                    idle.wakeHidden(event)
                    idle.wake()
                    setTapped(key)
                  }}
                  onSeen={(isSeen) => actor.send({ type: 'tile.seen', key, isSeen })}
                />
              )
            )
          })}
        </div>
        <MosaicBar actor={actor} ports={ports} isArchive={isArchive} onSnapshot={takeSnapshot} />
      </section>
      {syncPlayback !== undefined && parts !== null && (
        <parts.ArchivePanel
          syncPlayback={syncPlayback}
          tiles={mosaic.cells.map((cell) => ({ key: keyOf(cell), name: nameOf(cell.streamUid) }))}
          clock={clock}
          onKeyDown={press}
          exporting={exporting}
          onExport={canExport ? (range) => ports.openExport(actor, range, zone) : undefined}
          onLock={canLock ? (range) => ports.openLock(actor, range) : undefined}
          onClose={() => {
            // The button disappears with the panel: the mosaic takes its focus, so that its keys work.
            region.current?.focus({ preventScroll: true })
            actor.send({ type: 'archive.closed' })
          }}
        />
      )}
      <MosaicDialogs {...{ exporting, locking, zone }} />
    </>
  )
}

function EmptyMosaic({ mosaic }: { mosaic: Mosaic }) {
  const { t } = useLingui()
  return (
    <StatePanel
      icon={<Grid2x2 size={20} />}
      title={t`This mosaic is empty`}
      actions={
        mosaic.meta.canAdmin && (
          <ButtonLink href={pathTo('mosaicEdit', { id: mosaic.id })} variant="primary">{t`Add cameras`}</ButtonLink>
        )
      }
    />
  )
}
