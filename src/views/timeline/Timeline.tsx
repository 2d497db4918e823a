import type { TimeRange } from '../../api/contract/time-range.ts'
import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { ListVideo } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { type TimelineListsRef, selectIsListOpen } from '../../machines/timeline/timeline-lists.machine.ts'
import { lengthOf, xToTime } from '../../machines/timeline/timeline-geometry.ts'
import { selectHasStills, selectZone, type TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { panels } from '../player/panels.ts'
import { useDeferred } from '../ui/deferred.ts'
import type { BandScene } from './band.ts'
import { runBand } from './band-loop.ts'
import { isComplete } from './complete-elements.ts'
import { type InOutMarksPort, selectionGrip } from './selection-grip.ts'
import { watchGestures } from './gestures.ts'
import { HoverCard, type HoverHandle } from './HoverCard.tsx'
import { OverviewBand } from './OverviewBand.tsx'
import type { MotionTab } from './TimelineListsPanel.tsx'
import { useSliderKeys } from './slider-keys.ts'
import { TimelineNotes } from './TimelineNotes.tsx'
import { useWords } from './use-words.ts'
import { ZoneButton, type ZonePicker } from './ZoneButton.tsx'
import { SliderBand } from './SliderBand.tsx'
import styles from './Timeline.module.css'

interface TimelineProps {
  actor: TimelineRef
  lists: TimelineListsRef
  clock: () => number | null
  /** The buffered ranges, read in every animation frame. */
  buffered?: () => readonly TimeRange[]
  /** The in and out marks. Dragging with Shift, or while `isSelecting`, sets them. */
  marks?: InOutMarksPort
  isSelecting?: boolean
  /** The locked ranges of the archive. */
  locks?: BandScene['locks']
  /** The ranges in which motion was found. */
  foundMotion?: BandScene['foundMotion']
  motion?: MotionTab | undefined
  zonePicker?: ZonePicker
  /** Shown above the track while the timeline is zoomed in. */
  strip?: ReactNode
  children?: ReactNode
}

const nothingBuffered: readonly TimeRange[] = []
const nothingLocked: BandScene['locks'] = []
const nothingFound: BandScene['foundMotion'] = []
const nothingMarked = { from: null, to: null }

/** A click seeks, dragging pans, the wheel zooms (docs/behaviour.md §16). */
export function Timeline({
  actor,
  lists,
  clock,
  buffered,
  marks,
  isSelecting = false,
  locks = nothingLocked,
  foundMotion = nothingFound,
  motion,
  zonePicker,
  strip,
  children,
}: TimelineProps) {
  const { t } = useLingui()
  const zone = useSelector(actor, selectZone)
  const words = useWords(zone)
  const slider = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const playhead = useRef<HTMLDivElement>(null)
  const flag = useRef<HTMLDivElement>(null)
  const flagTime = useRef<HTMLSpanElement>(null)
  const flagDate = useRef<HTMLSpanElement>(null)
  const edge = useRef<HTMLSpanElement>(null)
  const hover = useRef<HoverHandle>(null)
  const newest = useRef({ clock, buffered, marks, isSelecting, locks, foundMotion, words })
  const list = useId()
  const disclosure = useRef<HTMLButtonElement>(null)
  const isListed = useSelector(lists, selectIsListOpen)
  const parts = useDeferred(panels, isListed)

  useEffect(() => {
    newest.current = { clock, buffered, marks, isSelecting, locks, foundMotion, words }
  }, [clock, buffered, marks, isSelecting, locks, foundMotion, words])

  useEffect(() => {
    const elements = {
      slider: slider.current,
      canvas: canvas.current,
      playhead: playhead.current,
      flag: flag.current,
      flagTime: flagTime.current,
      flagDate: flagDate.current,
      edge: edge.current,
    }
    if (!isComplete(elements)) return undefined
    const context = () => actor.getSnapshot().context
    // The machine knows the width after the first frame.
    const widthNow = () => context().width || elements.slider.clientWidth
    const timeAt = (x: number) => xToTime(context().period, widthNow(), x)
    const gestures = watchGestures(elements.slider, {
      onPanned: (pixels) => {
        const { period } = context()
        actor.send({ type: 'timeline.panned', to: period.from - (pixels / widthNow()) * lengthOf(period) })
      },
      onZoomed: (factor, x) => actor.send({ type: 'timeline.zoomedAt', factor, at: timeAt(x) }),
      onPicked: (x) => actor.send({ type: 'timeline.pickRequested', at: Math.round(timeAt(x)) }),
      onGrabbed: (x, press) => {
        const { period, live } = context()
        const { marks: marksPort, isSelecting: isSelectingNow } = newest.current
        if (marksPort === undefined) return null
        return selectionGrip(marksPort, { period, now: live.now, width: widthNow() }, x, {
          ...press,
          isSelecting: isSelectingNow,
        })
      },
      onHovered: (x) => hover.current?.show(x),
    })
    const stopBand = runBand(elements, {
      applyGestures: gestures.flush,
      context,
      clock: () => newest.current.clock(),
      buffered: () => newest.current.buffered?.() ?? nothingBuffered,
      selection: () => newest.current.marks?.read() ?? nothingMarked,
      locks: () => newest.current.locks,
      foundMotion: () => newest.current.foundMotion,
      words: () => newest.current.words,
      onResized: (width) => actor.send({ type: 'timeline.resized', width }),
    })
    return () => {
      gestures.stop()
      stopBand()
    }
  }, [actor])

  const onKeyDown = useSliderKeys({
    clock,
    shown: () => {
      const { period, live } = actor.getSnapshot().context
      return { period, now: live.now, edge: live.now }
    },
    onSought: (at) => actor.send({ type: 'timeline.pickRequested', at }),
    onZoomed: (direction, at) =>
      actor.send({ type: direction === 'in' ? 'timeline.zoomedIn' : 'timeline.zoomedOut', at }),
  })

  function closeList(): void {
    lists.send({ type: 'lists.closed' })
    disclosure.current?.focus()
  }

  return (
    <>
      <div className={styles.timeline}>
        <div className={styles.flags} aria-hidden="true">
          <span ref={edge} className={styles.edge} />
          <div ref={flag} className={styles.flag} hidden>
            <span ref={flagTime} className={styles.flagTime} />
            <span ref={flagDate} className={styles.flagDate} />
          </div>
        </div>
        <SliderBand
          ref={slider}
          className={styles.band}
          label={t`Timeline`}
          isSelecting={isSelecting}
          onKeyDown={onKeyDown}
        >
          <WhileZoomedIn actor={actor}>{strip}</WhileZoomedIn>
          <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />
          <HoverCard ref={hover} actor={actor} words={words} />
          <div ref={playhead} className={styles.playhead} hidden />
        </SliderBand>
        <OverviewBand actor={actor} clock={clock} words={words} />
        <div className={styles.foot}>
          {children}
          <TimelineNotes actor={actor} />
          <ZoneButton actor={actor} time={words.time} picker={zonePicker} />
          <button
            ref={disclosure}
            type="button"
            className={styles.disclosure}
            aria-expanded={isListed}
            aria-controls={list}
            onClick={() => lists.send({ type: 'lists.toggled' })}
          >
            <ListVideo size={16} aria-hidden="true" />
            <span className={styles.wideText}>{t`Events and recordings`}</span>
          </button>
        </div>
      </div>
      {parts !== null && (
        <parts.TimelineListsPanel
          id={list}
          actor={actor}
          lists={lists}
          clock={clock}
          words={words}
          motion={motion}
          onSelect={marks === undefined ? undefined : ({ from, to }) => marks.span(from, to)}
          onClose={closeList}
        />
      )}
    </>
  )
}

/** Its own component: a zoom that adds or removes the stills must not render the timeline again. */
function WhileZoomedIn({ actor, children }: Pick<TimelineProps, 'actor' | 'children'>) {
  return useSelector(actor, selectHasStills) && children
}
