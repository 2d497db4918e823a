import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Interval } from '../../machines/timeline/intervals.ts'
import { dateLabels, wholePeriod, type DateLabel } from '../../machines/timeline/overview.ts'
import { lengthOf, timeToX, xToTime } from '../../machines/timeline/timeline-geometry.ts'
import type { TimelineContext } from '../../machines/timeline/timeline.context.ts'
import { describeEveryMs, roundTo, type BandWords } from './band-loop.ts'
import { overviewHeight, paintOverview } from './paint-overview.ts'
import { readColours, watchAppearance } from './canvas-colours.ts'
import { spansOf } from './spans.ts'
import { watchSurface, type Surface } from './surface.ts'

interface OverviewSources {
  context: () => TimelineContext
  clock: () => number | null
  words: BandWords
  labelText: (label: DateLabel) => string
  onCentred: (at: number) => void
}

interface OverviewElements {
  slider: HTMLElement
  canvas: HTMLCanvasElement
  /** Frames the period that the timeline shows. */
  frame: HTMLElement
  playhead: HTMLElement
}

/** The canvas is drawn when what it shows changes; the frame and the playhead move over it. */
export function runOverview(
  { slider, canvas, frame, playhead }: OverviewElements,
  { context, clock, words, labelText, onCentred }: OverviewSources,
): () => void {
  let colours = readColours(slider)
  let painted: { key: string; recorded: readonly Interval[]; covered: TimelineContext['covered'] } | null = null
  let reported: { context: TimelineContext; whole: TimeRange } | null = null
  const described = { middle: Number.NaN, from: Number.NaN, to: Number.NaN, time: Number.NEGATIVE_INFINITY }
  /** Pixels. `playhead`: null while it is hidden. */
  const written = { left: Number.NaN, width: Number.NaN, playhead: null as number | null }
  let animationFrame = 0
  /** While the frame is dragged: how far the pointer is after its middle, in milliseconds; the scale of the press. */
  let drag: { grip: number; whole: TimeRange } | null = null
  const { surface, stop } = watchSurface(canvas, overviewHeight, () => {
    painted = null
  })
  const stopWatching = watchAppearance(() => {
    colours = readColours(slider)
    painted = null
  })

  const middleOf = ({ period }: TimelineContext) => (period.from + period.to) / 2

  function describe(state: TimelineContext, { from, to }: TimeRange, time: number): void {
    if (time - described.time < describeEveryMs) return
    const middle = middleOf(state)
    if (described.middle === middle && described.from === from && described.to === to) return
    slider.setAttribute('aria-valuemin', String(Math.round(from / 1000)))
    slider.setAttribute('aria-valuemax', String(Math.round(to / 1000)))
    slider.setAttribute('aria-valuenow', String(Math.round(middle / 1000)))
    slider.setAttribute('aria-valuetext', words.dateText(middle))
    Object.assign(described, { middle, from, to, time })
  }

  function paint({ ctx, width }: Surface, { recorded, covered, live }: TimelineContext, whole: TimeRange): void {
    const pixel = lengthOf(whole) / width
    const key = `${Math.floor(whole.from / pixel)} ${Math.floor(whole.to / pixel)} ${Math.floor(live.now / pixel)}`
    if (painted !== null && painted.key === key && painted.recorded === recorded && painted.covered === covered) return
    const spans = spansOf({ intervals: recorded, period: whole, width, now: live.now })
    const labels = dateLabels(whole, width, words.time.zone)
    paintOverview(ctx, { period: whole, width, now: live.now, spans, covered, labels, colours, labelText })
    painted = { key, recorded, covered }
  }

  function moveFrame({ period }: TimelineContext, whole: TimeRange, width: number): void {
    const from = Math.max(1, timeToX(whole, width, period.from))
    const frameWidth = Math.max(6, Math.min(width - 1, timeToX(whole, width, period.to)) - from)
    const left = roundTo(0.1, Math.min(from, width - frameWidth - 1))
    const size = roundTo(0.1, frameWidth)
    if (left !== written.left) frame.style.transform = `translateX(${left.toFixed(1)}px)`
    if (size !== written.width) frame.style.width = `${size.toFixed(1)}px`
    written.left = left
    written.width = size
    const playing = clock()
    const at = playing === null ? null : Math.round(timeToX(whole, width, playing)) - 1
    if (at === written.playhead) return
    playhead.hidden = at === null
    if (at !== null) playhead.style.transform = `translateX(${at}px)`
    written.playhead = at
  }

  function draw(time = performance.now()): void {
    animationFrame = requestAnimationFrame(draw)
    const drawing = surface()
    if (drawing === null) return
    const state = context()
    const whole = reported?.context === state ? reported.whole : wholePeriod(state)
    if (reported?.context !== state) {
      paint(drawing, state, whole)
      reported = { context: state, whole }
    } else if (painted === null) paint(drawing, state, whole)
    moveFrame(state, whole, drawing.width)
    describe(state, whole, time)
  }

  const pointerAt = (event: PointerEvent, whole: TimeRange) => {
    const box = slider.getBoundingClientRect()
    return xToTime(whole, box.width, event.clientX - box.left)
  }

  const centreOn = (at: number, { from }: TimeRange) => onCentred(Math.max(from, Math.min(context().live.now, at)))

  /** A press inside the frame drags it; outside, the frame is centred on the pointer. */
  function onDown(event: PointerEvent): void {
    if (event.button !== 0) return
    slider.setPointerCapture(event.pointerId)
    const state = context()
    const { period } = state
    const whole = wholePeriod(state)
    const at = pointerAt(event, whole)
    const grip = at >= period.from && at <= period.to ? at - (period.from + period.to) / 2 : 0
    drag = { grip, whole }
    if (grip === 0) centreOn(at, whole)
  }

  /** Within the scale of the press, as the band grows with a period that leaves it. */
  function onMove(event: PointerEvent): void {
    if (drag === null) return
    centreOn(pointerAt(event, drag.whole) - drag.grip, drag.whole)
  }

  const onUp = () => {
    drag = null
  }

  slider.addEventListener('pointerdown', onDown)
  slider.addEventListener('pointermove', onMove)
  slider.addEventListener('pointerup', onUp)
  slider.addEventListener('pointercancel', onUp)
  draw()
  return () => {
    cancelAnimationFrame(animationFrame)
    stop()
    stopWatching()
    slider.removeEventListener('pointerdown', onDown)
    slider.removeEventListener('pointermove', onMove)
    slider.removeEventListener('pointerup', onUp)
    slider.removeEventListener('pointercancel', onUp)
  }
}
