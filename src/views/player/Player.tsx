import type { TimeRange } from '../../api/contract/time-range.ts'
import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useCallback, useMemo, useState } from 'react'
import { selectKeyReach } from '../../machines/app/app.selectors.ts'
import {
  selectRequestedAt,
  selectCanDownload,
  selectIsLost,
  selectHasMarks,
  selectMarks,
  selectMedia,
  selectMediaState,
  selectMode,
  selectRate,
  selectSelection,
  selectTimeline,
  selectZone,
  selectZoneChoice,
  selectZones,
  type MediaRef,
  type PlayerRef,
  type SelectionRef,
} from '../../machines/player/player.selectors.ts'
import { type ExportDraftRef, selectKeptRanges } from '../../machines/exports/export-draft.selectors.ts'
import { type LocksRef, selectCanLock, selectLocks } from '../../machines/locks/locks.selectors.ts'
import type { PtzRef } from '../../machines/ptz/ptz.selectors.ts'
import { selectMasks, type StreamRef } from '../../machines/stream/stream.selectors.ts'
import type { TimelineListsRef } from '../../machines/timeline/timeline-lists.machine.ts'
import { selectAreThumbnailsOn, type ThumbnailsRef } from '../../machines/timeline/thumbnails.machine.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { useApp } from '../app/console.ts'
import { DeferredPart } from '../app/DeferredPart.tsx'
import type { PeriodUse } from '../calendar/ChosenPeriod.tsx'
import { Timeline } from '../timeline/Timeline.tsx'
import type { ZonePicker } from '../timeline/ZoneButton.tsx'
import { Badge } from './Badge.tsx'
import { Controls } from './Controls.tsx'
import { selectionBar } from './deferred-selection-bar.ts'
import { haveSameMasks, maskedCapabilities } from './masked.ts'
import { Picture } from './Picture.tsx'
import { playerKeyHandler } from './player-keys.ts'
import { PlayerDialogs } from './PlayerDialogs.tsx'
import { PlayerTools } from './PlayerTools.tsx'
import { PlaylistBar } from './PlaylistBar.tsx'
import type { PlayerPorts } from './ports.ts'
import { usePictureNote } from './rendition-words.ts'
import { Scenes } from './Scenes.tsx'
import { useMagnifier } from './use-magnifier.ts'
import { type MotionTool, useMotionTool } from './use-motion-tool.tsx'
import { useIdle } from './use-idle.ts'
import { useShare } from './use-share.ts'
import styles from './Player.module.css'

interface PlayerProps {
  player: PlayerRef
  stream: StreamRef
  lists: TimelineListsRef
  ports: PlayerPorts
  /** Null if the server has no locks. */
  locks: LocksRef | null
  exportDraft: ExportDraftRef | null
  ptz: PtzRef | null
  /** Null if the server has no motion search. */
  motion: MotionTool | null
  thumbnails: ThumbnailsRef | null
}

/** The player's region: the picture with its controls, and the timeline below it (docs/behaviour.md §16). */
export function Player(props: PlayerProps) {
  const media = useSelector(props.player, selectMedia)
  const timeline = useSelector(props.player, selectTimeline)
  const selection = useSelector(props.player, selectSelection)
  if (media === undefined || timeline === undefined || selection === undefined) return null
  return <LoadedPlayer {...props} media={media} timeline={timeline} selection={selection} />
}

function LoadedPlayer({
  player,
  stream,
  lists,
  media,
  timeline,
  selection,
  ports,
  locks,
  exportDraft,
  ptz,
  motion,
  thumbnails,
}: PlayerProps & { media: MediaRef; timeline: TimelineRef; selection: SelectionRef }) {
  const { t } = useLingui()
  const mode = useSelector(player, selectMode)
  const zone = useSelector(player, selectZone)
  const zones = useSelector(player, selectZones)
  const zoneChoice = useSelector(player, selectZoneChoice)
  const mediaState = useSelector(media, selectMediaState)
  const isLost = useSelector(media, selectIsLost)
  const isFast = useSelector(media, selectRate) > 2
  const note = usePictureNote(media)
  const canDownload = useSelector(player, selectCanDownload)
  const onShare = useShare(player, stream)
  const hasMarks = useSelector(selection, selectHasMarks)
  const addedRanges = useSelector(exportDraft ?? undefined, selectKeptRanges)
  const canLock = useSelector(locks ?? undefined, selectCanLock)
  const hasThumbnails = useSelector(thumbnails ?? undefined, selectAreThumbnailsOn)
  const locked = useSelector(locks ?? undefined, selectLocks)
  const masks = useSelector(stream, selectMasks, haveSameMasks)
  const { controller, attachScreen } = ports
  const [isSelecting, setIsSelecting] = useState(false)
  const magnifier = useMagnifier(
    useCallback((isMagnified) => media.send({ type: 'media.magnified', isMagnified }), [media]),
  )
  const idle = useIdle(3000)
  const keyReach = useApp(selectKeyReach)

  const clock = useCallback(
    () => selectRequestedAt(media.getSnapshot()) ?? controller.positionAt(),
    [media, controller],
  )
  const onDownload = canDownload
    ? () => player.send({ type: 'panel.opened', panel: 'download', at: clock() })
    : undefined
  const onExport =
    canDownload && exportDraft !== null
      ? (range: TimeRange) => exportDraft.send({ type: 'export.requested', range, now: ports.serverNow(), zone })
      : undefined
  const onKeyDown = useMemo(() => playerKeyHandler({ player, media, clock }), [player, media, clock])
  const attachRegion = useCallback(
    (region: HTMLElement | null) => {
      if (region === null) return undefined
      const keyTarget: GlobalEventHandlers = keyReach === 'page' ? document : region
      keyTarget.addEventListener('keydown', onKeyDown)
      const detachScreen = attachScreen(region)
      return () => {
        keyTarget.removeEventListener('keydown', onKeyDown)
        detachScreen()
      }
    },
    [attachScreen, onKeyDown, keyReach],
  )
  const goTo = useCallback(
    (at: number) => {
      timeline.send({ type: 'timeline.centred', at })
      timeline.send({ type: 'timeline.pickRequested', at })
    },
    [timeline],
  )
  const motionTool = useMotionTool({ motion, timeline, selection, lists, onPick: goTo })
  const showPeriod = useCallback(
    ({ from, to }: TimeRange, use: PeriodUse) => {
      selection.send({ type: 'selection.spanned', from, to })
      if (use === 'play') goTo(from)
      else player.send({ type: 'panel.opened', panel: 'download', at: from })
    },
    [selection, player, goTo],
  )
  const marks = useMemo(
    () => ({
      read: () => selectMarks(selection.getSnapshot()),
      span: (from: number, to: number) => selection.send({ type: 'selection.spanned', from, to }),
    }),
    [selection],
  )
  const zonePicker: ZonePicker = {
    zones,
    chosen: zoneChoice,
    onChoose: (choice) => player.send({ type: 'zone.chosen', choice }),
  }

  return (
    <section ref={attachRegion} className={styles.player} aria-label={t`Player`} data-view-mode={mode}>
      <div
        className={styles.screen}
        tabIndex={-1}
        data-lost={isLost || undefined}
        data-still={idle.isIdle || undefined}
        onPointerMove={idle.wake}
        onPointerDownCapture={idle.wakeHidden}
        onPointerDown={idle.wake}
        onPointerLeave={idle.rest}
      >
        <Picture
          controller={controller}
          frameRef={magnifier.frameRef}
          zoomRef={magnifier.zoomRef}
          isMagnified={magnifier.scale > 1}
          masks={masks}
        >
          {motionTool.area}
        </Picture>
        <Scenes player={player} media={media} stream={stream} shownAt={controller.positionAt} />
        <Badge
          mode={mode}
          zone={zone}
          mediaState={mediaState}
          clock={clock}
          serverNow={ports.serverNow}
          isFast={isFast}
          note={note}
        />
        <Controls
          player={player}
          media={media}
          controller={controller}
          capabilities={maskedCapabilities(ports.capabilities, masks)}
          magnifier={magnifier}
          clock={clock}
          ptz={ptz}
        />
        <PlaylistBar player={player} media={media} controller={controller} />
      </div>
      <DeferredPart module={selectionBar} isNeeded={hasMarks} retryKey={useSelector(selection, selectMarks)}>
        {({ SelectionBar }) => (
          <SelectionBar
            {...{ player, selection, addedRanges, onDownload, onExport, onShare }}
            onLock={canLock ? (range) => locks?.send({ type: 'lock.requested', range }) : undefined}
          />
        )}
      </DeferredPart>
      <Timeline
        actor={timeline}
        lists={lists}
        clock={clock}
        buffered={controller.buffered}
        marks={marks}
        isSelecting={isSelecting}
        locks={locked}
        foundMotion={motionTool.foundMotion}
        motion={motionTool.tab}
        zonePicker={zonePicker}
        strip={
          thumbnails !== null && (
            <DeferredPart module={ports.stills} isNeeded={hasThumbnails}>
              {({ Strip }) => <Strip timeline={timeline} thumbnails={thumbnails} />}
            </DeferredPart>
          )
        }
      >
        <PlayerTools
          {...{ player, timeline, selection, locks, thumbnails, clock, isSelecting }}
          onSelecting={setIsSelecting}
        >
          {motionTool.button}
        </PlayerTools>
      </Timeline>
      <PlayerDialogs player={player} timeline={timeline} locks={locks} onPick={goTo} onPeriod={showPeriod} />
    </section>
  )
}
