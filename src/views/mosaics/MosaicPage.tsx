import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Grid2x2, History, Maximize, Pause, Play } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Mosaic } from '../../api/contract/mosaic.ts'
import { selectAddress } from '../../machines/app/app.selectors.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { actOf, mosaicKeys, pressedKey } from '../../machines/keyboard/bindings.ts'
import { isKiosk } from '../../machines/mosaics/kiosk.ts'
import type { TrackRef } from '../../machines/mosaics/track.machine.ts'
import { selectIsArchive, selectTracks, type SyncPlaybackRef } from '../../machines/mosaics/sync-playback.selectors.ts'
import { keyOf } from '../../machines/mosaics/mosaic-grid.ts'
import type { mosaicMachine } from '../../machines/mosaics/mosaic.machine.ts'
import { isAvailable } from '../../machines/mosaics/tile-slots.ts'
import { useApp } from '../app/console.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { ArchivePanel } from './ArchivePanel.tsx'
import { syncPlaybackKey } from './sync-playback-keys.ts'
import { MosaicTile, type TileArchive } from './MosaicTile.tsx'
import type { MosaicPorts } from './ports.ts'
import styles from './Mosaic.module.css'

type Actor = ActorRefFrom<typeof mosaicMachine>
type Snapshot = SnapshotFrom<typeof mosaicMachine>

const selectContext = ({ context }: Snapshot) => context
const selectSyncPlayback = (snapshot: Snapshot) => snapshot.children.syncPlayback
const selectIsPaused = (snapshot: Snapshot) => snapshot.matches({ playback: 'paused' })

/** Watching a mosaic. `?kiosk=1` shows nothing but the pictures, `cycle=20s` enlarges one after the other. */
export function MosaicPage({ actor, ports }: { actor: Actor; ports: MosaicPorts }) {
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

function Wall({ mosaic, actor, ports }: { mosaic: Mosaic; actor: Actor; ports: MosaicPorts }) {
  const { t } = useLingui()
  const controller = useRef<HTMLElement>(null)
  useEffect(() => {
    if (document.activeElement?.contains(controller.current) === true)
      controller.current?.focus({ preventScroll: true })
  }, [])
  const { tiles, focused, enlarged, limits } = useSelector(actor, selectContext)
  const isPaused = useSelector(actor, selectIsPaused)
  const syncPlayback = useSelector(actor, selectSyncPlayback)
  const isArchive = useSelector(syncPlayback, isInArchive)
  const archive = useArchive(syncPlayback, isArchive)
  const clock = useCallback(
    () =>
      syncPlayback !== undefined && selectIsArchive(syncPlayback.getSnapshot()) ? Math.round(ports.clock()) : null,
    [syncPlayback, ports],
  )
  const nameOf = (uid: string) => mosaic.streams?.find((stream) => stream.uid === uid)?.name || uid
  const enlarge = (key: string) => actor.send({ type: 'tile.enlarged', key: enlarged === key ? null : key })
  const press = (event: KeyboardEvent) => {
    const isInMenu = event.target instanceof HTMLElement && event.target.closest('[role="menu"]') !== null
    if (isInMenu || event.ctrlKey || event.metaKey || event.altKey) return
    const key = pressedKey(event)
    const act = actOf(mosaicKeys, key)
    if (act === 'enlarge') actor.send({ type: 'place.typed', digit: event.key })
    else if (act === 'shrink' && enlarged !== null) actor.send({ type: 'tile.enlarged', key: null })
    else if (act === 'fullScreen' && event.target instanceof HTMLElement && event.target.closest('input') === null)
      ports.toggleScreen()
    else {
      const action = syncPlayback === undefined ? undefined : syncPlaybackKey(syncPlayback, key, clock)
      if (action === undefined) return
      action()
    }
    event.preventDefault()
  }
  if (mosaic.cells.length === 0) {
    return (
      <StatePanel
        icon={<Grid2x2 size={20} />}
        title={t`This mosaic is empty`}
        actions={
          mosaic.meta.canAdmin && (
            <ButtonLink
              href={pathTo('mosaicEdit', { id: mosaic.id })}
              variant="primary"
            >{t`Put cameras on it`}</ButtonLink>
          )
        }
      >
        <Trans>There is no camera on it yet.</Trans>
      </StatePanel>
    )
  }
  return (
    <>
      <section
        ref={controller}
        className={styles.controller}
        aria-label={mosaic.name || t`Mosaic`}
        tabIndex={-1}
        onKeyDown={press}
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
                  place={index + 1}
                  stream={stream}
                  isAvailable={isAvailable(stream, limits)}
                  isPaused={isPaused}
                  tile={tile}
                  controller={ports.controllerOf(tile)}
                  archive={archive(key)}
                  isAudible={focused === key}
                  isEnlarged={enlarged === key}
                  onSound={() => actor.send({ type: 'tile.focused', key: focused === key ? null : key })}
                  onEnlarge={() => enlarge(key)}
                  onSeen={(isSeen) => actor.send({ type: 'tile.seen', key, isSeen })}
                />
              )
            )
          })}
        </div>
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
              onPress={() => actor.send({ type: isPaused ? 'mosaic.resumed' : 'mosaic.paused' })}
            />
          )}
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
      </section>
      {syncPlayback !== undefined && (
        <ArchivePanel
          syncPlayback={syncPlayback}
          tiles={mosaic.cells.map((cell) => ({ key: keyOf(cell), name: nameOf(cell.streamUid) }))}
          clock={clock}
          onKeyDown={press}
          onClose={() => actor.send({ type: 'archive.closed' })}
        />
      )}
    </>
  )
}

const isInArchive = (snapshot: SnapshotFrom<SyncPlaybackRef> | undefined) =>
  snapshot !== undefined && selectIsArchive(snapshot)
const noTracks: Readonly<Record<string, TrackRef>> = {}

/** What the archive has to do with each tile; null while it isn't open. */
function useArchive(
  syncPlayback: SyncPlaybackRef | undefined,
  isArchive: boolean,
): (key: string) => TileArchive | null {
  const tracks = useSelector(syncPlayback, (snapshot) => (snapshot === undefined ? noTracks : selectTracks(snapshot)))
  return (key) => {
    const track = tracks[key]
    if (syncPlayback === undefined || track === undefined) return null
    return {
      track,
      isArchive,
      onLeave: () => syncPlayback.send({ type: 'tile.leftLive', key }),
      onJoin: () => syncPlayback.send({ type: 'tile.joined', key }),
      onShare: (at) => syncPlayback.send({ type: 'moment.shared', at }),
    }
  }
}
