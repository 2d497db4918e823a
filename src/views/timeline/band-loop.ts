import type { TimeRange } from '../../api/contract/time-range.ts'
import { intervalAt } from '../../machines/timeline/intervals.ts'
import { firstAfter, longestOf, type TimelineAnnotation } from '../../machines/timeline/annotations.ts'
import { contains, timeToX } from '../../machines/timeline/timeline-geometry.ts'
import type { TimelineContext } from '../../machines/timeline/timeline.context.ts'
import type { LocalTime } from './local-time.ts'
import { band, type BandScene } from './band.ts'
import { paintBand } from './paint-band.ts'
import { readColours, watchAppearance } from './canvas-colours.ts'
import type { AxisLabel } from '../../machines/timeline/timeline-labels.ts'
import { sliderValue } from './slider-value.ts'
import { watchSurface } from './surface.ts'

/** `flag`: the time and date above the playhead; `edge`: the date at the left end of the band. */
export type BandElements = {
  readonly slider: HTMLElement
  readonly canvas: HTMLCanvasElement
  readonly playhead: HTMLElement
  readonly flag: HTMLElement
  readonly flagTime: HTMLElement
  readonly flagDate: HTMLElement
  readonly edge: HTMLElement
}

export type BandWords = {
  readonly time: LocalTime
  readonly labelText: (label: AxisLabel) => string
  readonly dateText: (at: number) => string
  readonly momentText: (at: number, now: number) => string
  /** `14:05:03, recorded, event`: names the annotations within `reach` milliseconds. */
  readonly describe: (context: TimelineContext, at: number, reach?: number) => string
}

type BandSources = {
  /** Applies what the pointers and the wheel did since the last frame. */
  readonly applyGestures: () => void
  readonly context: () => TimelineContext
  readonly clock: () => number | null
  readonly buffered: () => readonly TimeRange[]
  readonly selection: () => BandScene['selection']
  readonly locks: () => BandScene['locks']
  readonly foundMotion: () => BandScene['foundMotion']
  readonly words: () => BandWords
  readonly onResized: (width: number) => void
}

const secondMs = 1000
const readBufferedEveryMs = 250
/** Milliseconds between two descriptions of the slider's value: during a gesture, each frame has another one. */
export const describeEveryMs = 100
/** What was described last of the slider's value. `recorded` and `annotations` may be loaded after that. */
const undescribed: {
  recorded: TimelineContext['recorded'] | null
  annotations: TimelineContext['annotations'] | null
  time: number
} = {
  recorded: null,
  annotations: null,
  time: Number.NEGATIVE_INFINITY,
}
/** Nothing of the playhead and its flag is written yet. `second`: of the time, in whole seconds. */
const unwritten = { second: Number.NaN, text: '', date: '', beyond: '', left: Number.NaN, x: Number.NaN }

export const roundTo = (step: number, value: number): number => Math.round(value / step) * step

/** Half a second of difference can't be seen. */
const keyOf = (ranges: readonly TimeRange[]): string =>
  ranges.map(({ from, to }) => `${Math.round(from / 500)}-${Math.round(to / 500)}`).join()

/** Draws the band without React, whenever something changed. Returns the function that ends it. */
export function runBand(
  elements: BandElements,
  { applyGestures, context, clock, buffered, selection, locks, foundMotion, words, onResized }: BandSources,
): () => void {
  const { slider, canvas, playhead, flag, flagTime, flagDate, edge } = elements
  let colours = readColours(slider)
  let painted: {
    context: TimelineContext
    buffered: readonly TimeRange[]
    selection: BandScene['selection']
    locks: BandScene['locks']
    foundMotion: BandScene['foundMotion']
    words: BandWords
  } | null = null
  const writeValue = sliderValue(slider)
  const described = { ...undescribed }
  let frame = 0
  let flagHalfWidth = 0
  /** The ranges stay the same object until they differ by their key. */
  const bufferedCache = { readAt: Number.NEGATIVE_INFINITY, ranges: buffered(), key: '' }
  const written = { ...unwritten }
  let edgeWidth = 0
  const forget = () => {
    painted = null
    Object.assign(written, unwritten)
  }
  const { surface, stop } = watchSurface(canvas, band.height, (width) => {
    forget()
    onResized(width)
  })
  const stopWatching = watchAppearance(() => {
    colours = readColours(slider)
    forget()
  })

  function writeEdge(date: string): void {
    if (edge.textContent === date) return
    edge.textContent = date
    edgeWidth = edge.offsetWidth
    // The next frame compares the flag with this width, also while the flag rests.
    written.left = Number.NaN
  }

  function announce(state: TimelineContext, at: number, { describe, dateText }: BandWords, time: number): void {
    if (time - described.time < describeEveryMs) return
    const { period, recorded, annotations } = state
    const isWritten = writeValue(period, at)
    if (!isWritten && recorded === described.recorded && annotations === described.annotations) return
    writeEdge(dateText(period.from))
    const text = describe(state, at)
    if (slider.getAttribute('aria-valuetext') !== text) slider.setAttribute('aria-valuetext', text)
    Object.assign(described, { recorded, annotations, time })
  }

  function movePlayhead(state: TimelineContext, width: number, at: number | null, { time, dateText }: BandWords): void {
    const isShown = at !== null && contains(state.period, at)
    if (playhead.hidden === isShown) playhead.hidden = !isShown
    if (flag.hidden !== (at === null)) flag.hidden = at === null
    if (at === null) return
    const x = roundTo(0.01, timeToX(state.period, width, at))
    const second = Math.floor(at / secondMs)
    const beyond = x < 0 ? 'before' : x > width ? 'after' : 'no'
    if (written.second !== second || written.beyond !== beyond) {
      const text = time.hourMinuteSecond(at)
      const date = dateText(at)
      // Digits are equally wide, so the flag keeps its width; measuring it needs a layout of the page.
      const isAsWide = written.text.length === text.length && written.date === date && written.beyond === beyond
      flagTime.textContent = text
      flagDate.textContent = date
      flag.dataset['beyond'] = beyond
      if (!isAsWide) flagHalfWidth = flag.offsetWidth / 2
      Object.assign(written, { second, text, date, beyond })
    }
    const left = roundTo(0.1, Math.min(width - flagHalfWidth, Math.max(flagHalfWidth, x)) - flagHalfWidth)
    if (written.left !== left) {
      flag.style.transform = `translateX(${left.toFixed(1)}px)`
      edge.style.visibility = left < edgeWidth ? 'hidden' : 'visible'
      written.left = left
    }
    if (!isShown || written.x === x) return
    playhead.style.transform = `translateX(${x.toFixed(2)}px)`
    written.x = x
  }

  function readBuffered(time: number): readonly TimeRange[] {
    if (time - bufferedCache.readAt <= readBufferedEveryMs) return bufferedCache.ranges
    const ranges = buffered()
    const key = keyOf(ranges)
    bufferedCache.readAt = time
    if (key !== bufferedCache.key) Object.assign(bufferedCache, { ranges, key })
    return bufferedCache.ranges
  }

  function draw(frameTime = performance.now()): void {
    frame = requestAnimationFrame(draw)
    applyGestures()
    const drawing = surface()
    if (drawing === null) return
    const state = context()
    const at = clock()
    const currentWords = words()
    const currentSelection = selection()
    const currentLocks = locks()
    const currentMotion = foundMotion()
    const ranges = readBuffered(frameTime)
    if (painted?.words !== currentWords) {
      Object.assign(described, undescribed)
      written.second = Number.NaN
    }
    if (
      painted === null ||
      painted.context !== state ||
      painted.buffered !== ranges ||
      painted.selection !== currentSelection ||
      painted.locks !== currentLocks ||
      painted.foundMotion !== currentMotion ||
      painted.words !== currentWords
    ) {
      paintBand(drawing.ctx, {
        period: state.period,
        width: drawing.width,
        now: state.live.now,
        intervals: state.intervals,
        annotations: state.annotations,
        locks: currentLocks,
        foundMotion: currentMotion,
        covered: state.covered,
        buffered: ranges,
        selection: currentSelection,
        offsets: currentWords.time.offsets(state.period),
        colours,
        labelText: currentWords.labelText,
      })
      painted = {
        context: state,
        buffered: ranges,
        selection: currentSelection,
        locks: currentLocks,
        foundMotion: currentMotion,
        words: currentWords,
      }
    }
    movePlayhead(state, drawing.width, at, currentWords)
    announce(
      state,
      at ?? Math.min(state.period.to, Math.max(state.period.from, state.live.now)),
      currentWords,
      frameTime,
    )
  }

  draw()
  return () => {
    cancelAnimationFrame(frame)
    stop()
    stopWatching()
  }
}

/** The type of the interval at a moment, and up to three annotations within `reach` ms of it that read differently. */
export function whatIsAt({ intervals, annotations, live }: TimelineContext, at: number, reach: number) {
  const interval = intervalAt(intervals, at)
  const isFuture = at > live.now
  const near: TimelineAnnotation[] = []
  const earliest = at - reach - longestOf(annotations)
  for (let index = firstAfter(annotations, at + reach) - 1; index >= 0 && near.length < 3; index -= 1) {
    const annotation = annotations[index]
    if (annotation === undefined || annotation.from < earliest) break
    const isRepeated = near.some(({ type, label }) => type === annotation.type && label === annotation.label)
    if (annotation.to >= at - reach && !isRepeated) near.push(annotation)
  }
  return { type: isFuture ? ('future' as const) : (interval?.type ?? ('unknown' as const)), annotations: near }
}
