import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { FastForward, Pause, Play, Radio, StepBack, StepForward, X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { MosaicExportRef } from '../../machines/exports/mosaic-export.machine.ts'
import {
  selectCanZoomIn,
  selectCanZoomOut,
  selectEdge,
  selectHasMarks,
  selectIsArchive,
  selectIsPlaying,
  selectIsSeeking,
  selectRate,
  selectZone,
  type SyncPlaybackRef,
} from '../../machines/mosaics/sync-playback.selectors.ts'
import { shuttle } from '../player/deferred-shuttle.ts'
import { MarkTools } from '../player/MarkTools.tsx'
import type { ShuttleDrive } from '../player/Shuttle.tsx'
import { SpeedMenu } from '../player/SpeedMenu.tsx'
import type { BandWords } from '../timeline/band-loop.ts'
import { PeriodTools } from '../timeline/TimelineTools.tsx'
import { useWords } from '../timeline/use-words.ts'
import { deferred, useDeferred } from '../ui/deferred.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { momentWriter } from './moment-text.ts'
import { Tracks } from './Tracks.tsx'
import styles from './Tracks.module.css'

const selection = deferred(() => import('./MosaicSelection.tsx'))

interface ArchivePanelProps {
  syncPlayback: SyncPlaybackRef
  tiles: readonly { readonly key: string; readonly name: string }[]
  clock: () => number | null
  onKeyDown: (event: KeyboardEvent) => void
  exporting: MosaicExportRef | null
  /** Undefined if the server has no exports. */
  onExport: ((range: TimeRange) => void) | undefined
  /** Undefined if the user may not lock recordings of any camera. */
  onLock: ((range: TimeRange) => void) | undefined
  onClose: () => void
}

/** The timeline and the controls of a mosaic's archive: loaded when it is first opened. */
export function ArchivePanel({
  syncPlayback,
  tiles,
  clock,
  onKeyDown,
  exporting,
  onExport,
  onLock,
  onClose,
}: ArchivePanelProps) {
  const { t } = useLingui()
  const isArchive = useSelector(syncPlayback, selectIsArchive)
  const isPlaying = useSelector(syncPlayback, selectIsPlaying)
  const isSeeking = useSelector(syncPlayback, selectIsSeeking)
  const canZoomIn = useSelector(syncPlayback, selectCanZoomIn)
  const canZoomOut = useSelector(syncPlayback, selectCanZoomOut)
  const rate = useSelector(syncPlayback, selectRate)
  const words = useWords(useSelector(syncPlayback, selectZone))
  const hasMarks = useSelector(syncPlayback, selectHasMarks)
  const [isShuttleOpen, setShuttleOpen] = useState(false)
  const [isSelecting, setIsSelecting] = useState(false)
  // It takes the focus when it opens: it must not do so later, when the archive plays again.
  if (isShuttleOpen && !isArchive) setShuttleOpen(false)
  const shuttleParts = useDeferred(shuttle, isShuttleOpen)
  const selectionParts = useDeferred(selection, hasMarks)
  const shuttleButton = useRef<HTMLSpanElement>(null)
  const drive: ShuttleDrive = {
    rate: () => selectRate(syncPlayback.getSnapshot()),
    isPlaying: () => selectIsPlaying(syncPlayback.getSnapshot()),
    send: syncPlayback.send,
  }
  const closeShuttle = () => {
    setShuttleOpen(false)
    shuttleButton.current?.querySelector('button')?.focus()
  }
  const mark = (type: 'selection.inMarked' | 'selection.outMarked') =>
    syncPlayback.send({ type, at: Math.round(clock() ?? selectEdge(syncPlayback.getSnapshot())) })
  const now = useCallback(() => syncPlayback.getSnapshot().context.now, [syncPlayback])
  return (
    <section
      className={styles.panel}
      aria-label={t`Archive`}
      data-view-mode={isArchive ? 'archive' : 'live'}
      aria-busy={isSeeking}
      onKeyDown={onKeyDown}
    >
      {shuttleParts !== null && (
        <div className={styles.shuttle}>
          <shuttleParts.Shuttle drive={drive} onClose={closeShuttle} />
        </div>
      )}
      <div className={styles.controls}>
        <div className={styles.group}>
          <IconButton
            label={isPlaying ? t`Pause` : t`Play`}
            shortcut="K"
            placement="top"
            disabled={!isArchive}
            icon={isPlaying ? <Pause size={20} /> : <Play size={20} />}
            onPress={() => syncPlayback.send({ type: isPlaying ? 'pause.requested' : 'play.requested' })}
          />
          <IconButton
            label={t`Previous frame`}
            shortcut=","
            placement="top"
            disabled={!isArchive}
            icon={<StepBack size={16} />}
            onPress={() => syncPlayback.send({ type: 'step.requested', direction: -1 })}
          />
          <IconButton
            label={t`Next frame`}
            shortcut="."
            placement="top"
            disabled={!isArchive}
            icon={<StepForward size={16} />}
            onPress={() => syncPlayback.send({ type: 'step.requested', direction: 1 })}
          />
          <IconButton
            label={t`Go live`}
            shortcut="G"
            placement="top"
            icon={<Radio size={20} />}
            pressed={!isArchive}
            onPress={() => syncPlayback.send({ type: 'live.requested' })}
          />
          {isArchive && (
            <>
              <SpeedMenu rate={rate} onChoose={(speed) => syncPlayback.send({ type: 'speed.chosen', rate: speed })} />
              <span ref={shuttleButton}>
                <IconButton
                  label={t`Shuttle`}
                  placement="top"
                  pressed={isShuttleOpen}
                  icon={<FastForward size={20} />}
                  onPress={() => setShuttleOpen(!isShuttleOpen)}
                />
              </span>
            </>
          )}
        </div>
        {isArchive ? (
          <Moment clock={clock} words={words} />
        ) : (
          <span className={styles.date}>{t`Live. Select a moment below.`}</span>
        )}
        <div className={`${styles.group} ${styles.end}`}>
          <PeriodTools canZoomIn={canZoomIn} canZoomOut={canZoomOut} clock={clock} now={now} send={syncPlayback.send} />
          <MarkTools onMark={mark} isSelecting={isSelecting} onSelecting={setIsSelecting} />
          <IconButton label={t`Close the archive`} placement="top" icon={<X size={20} />} onPress={onClose} />
        </div>
      </div>
      {selectionParts !== null && (
        <div>
          <selectionParts.MosaicSelection {...{ syncPlayback, exporting, onExport, onLock }} />
        </div>
      )}
      <Tracks syncPlayback={syncPlayback} tiles={tiles} clock={clock} words={words} isSelecting={isSelecting} />
    </section>
  )
}

/** The moment of the shared clock, written in every animation frame, without React. */
function Moment({ clock, words }: { clock: () => number | null; words: BandWords }) {
  const element = useRef<HTMLTimeElement>(null)
  useEffect(() => {
    if (element.current === null) return undefined
    const write = momentWriter(element.current, words)
    let frame = 0
    const draw = () => {
      frame = requestAnimationFrame(draw)
      const at = clock()
      if (at !== null) write(at)
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [clock, words])
  return (
    <time ref={element} className={styles.moment}>
      <span className={styles.time} />
      <span className={styles.date} />
    </time>
  )
}
