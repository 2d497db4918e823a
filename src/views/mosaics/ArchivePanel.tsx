import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Pause, Play, Radio, StepBack, StepForward, X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react'
import {
  selectCanZoomIn, selectCanZoomOut, selectIsArchive, selectIsPlaying, selectIsSeeking, selectRate, selectZone, type ConductorRef,
} from '../../machines/mosaics/conductor.selectors.ts'
import { SpeedMenu } from '../player/SpeedMenu.tsx'
import type { BandWords } from '../timeline/band-loop.ts'
import { PeriodTools } from '../timeline/TimelineTools.tsx'
import { useWords } from '../timeline/use-words.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Lanes } from './Lanes.tsx'
import styles from './Lanes.module.css'

interface ArchivePanelProps {
  conductor: ConductorRef
  tiles: readonly { readonly key: string; readonly name: string }[]
  /** The moment of the one clock; null while all is live. */
  clock: () => number | null
  /** Keys that aren't the panel's own. */
  onKeyDown: (event: KeyboardEvent) => void
  onClose: () => void
}

/** The archive of a mosaic: the controls of its one clock, and the lanes. */
export function ArchivePanel({ conductor, tiles, clock, onKeyDown, onClose }: ArchivePanelProps) {
  const { t } = useLingui()
  const isArchive = useSelector(conductor, selectIsArchive)
  const isPlaying = useSelector(conductor, selectIsPlaying)
  const isSeeking = useSelector(conductor, selectIsSeeking)
  const canZoomIn = useSelector(conductor, selectCanZoomIn)
  const canZoomOut = useSelector(conductor, selectCanZoomOut)
  const rate = useSelector(conductor, selectRate)
  const words = useWords(useSelector(conductor, selectZone))
  const now = useCallback(() => conductor.getSnapshot().context.now, [conductor])
  return (
    <section className={styles.panel} aria-label={t`Archive`} data-view-mode={isArchive ? 'archive' : 'live'} aria-busy={isSeeking} onKeyDown={onKeyDown}>
      <div className={styles.controls}>
        <div className={styles.group}>
          <IconButton
            label={isPlaying ? t`Pause` : t`Play`}
            shortcut="K"
            placement="top"
            disabled={!isArchive}
            icon={isPlaying ? <Pause size={20} /> : <Play size={20} />}
            onPress={() => conductor.send({ type: isPlaying ? 'pause.requested' : 'play.requested' })}
          />
          <IconButton label={t`Previous frame`} shortcut="," placement="top" disabled={!isArchive} icon={<StepBack size={16} />} onPress={() => conductor.send({ type: 'step.requested', direction: -1 })} />
          <IconButton label={t`Next frame`} shortcut="." placement="top" disabled={!isArchive} icon={<StepForward size={16} />} onPress={() => conductor.send({ type: 'step.requested', direction: 1 })} />
          <IconButton label={t`Go live`} placement="top" icon={<Radio size={20} />} pressed={!isArchive} onPress={() => conductor.send({ type: 'live.requested' })} />
          {isArchive && <SpeedMenu rate={rate} onChoose={(speed) => conductor.send({ type: 'speed.chosen', rate: speed })} />}
        </div>
        {isArchive ? <Moment clock={clock} words={words} /> : <span className={styles.date}>{t`Live. Choose a moment below.`}</span>}
        <div className={`${styles.group} ${styles.end}`}>
          <PeriodTools canZoomIn={canZoomIn} canZoomOut={canZoomOut} clock={clock} now={now} send={conductor.send} />
          <IconButton label={t`Close the archive`} placement="top" icon={<X size={20} />} onPress={onClose} />
        </div>
      </div>
      <Lanes conductor={conductor} tiles={tiles} clock={clock} words={words} />
    </section>
  )
}

/** The moment of the one clock, written every frame, past React. */
function Moment({ clock, words }: { clock: () => number | null; words: BandWords }) {
  const element = useRef<HTMLTimeElement>(null)
  useEffect(() => {
    let frame = 0
    let shown = Number.NaN
    const write = () => {
      frame = requestAnimationFrame(write)
      const at = clock()
      const [time, date] = element.current?.children ?? []
      if (at === null || element.current === null || time === undefined || date === undefined || at === shown) return
      shown = at
      element.current.dateTime = new Date(at).toISOString()
      const text = words.time.hourMinuteSecond(at)
      if (time.textContent === text) return
      time.textContent = text
      date.textContent = words.dateText(at)
    }
    write()
    return () => cancelAnimationFrame(frame)
  }, [clock, words])
  return (
    <time ref={element} className={styles.moment}>
      <span className={styles.time} />
      <span className={styles.date} />
    </time>
  )
}
