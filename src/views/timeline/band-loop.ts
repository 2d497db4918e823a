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
  isDescribed: boolean
  time: number
} = {
  recorded: null,
  annotations: null,
  isDescribed: false,
  time: Number.NEGATIVE_INFINITY,
}

/** Draws the band without React, whenever something changed. Returns the function that ends it. */
export function runBand(
  elements: BandElements,
  { context, clock, buffered, selection, locks, foundMotion, words, onResized }: BandSources,
): () => void {
  const { slider, canvas, playhead, flag, flagTime, flagDate, edge } = elements
  let colours = readColours(slider)
  let painted: {
    context: TimelineContext
    bufferedKey: string
    selection: BandScene['selection']
    locks: BandScene['locks']
    foundMotion: BandScene['foundMotion']
    words: BandWords
  } | null = null
  const writeValue = sliderValue(slider)
  const described = { ...undescribed }
  let frame = 0
  let flagHalfWidth = 0
  const bufferedCache = { readAt: Number.NEGATIVE_INFINITY, ranges: buffered() }
  const written = { at: Number.NEGATIVE_INFINITY, text: '', date: '', beyond: '', left: '' }
  let edgeWidth = 0
  const forget = () => {
    painted = null
    Object.assign(written, { text: '', date: '' })
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
  }

  function announce(state: TimelineContext, at: number, { describe, dateText }: BandWords, time: number): void {
    const { period, recorded, annotations } = state
    if (writeValue(period, at) || recorded !== described.recorded || annotations !== described.annotations)
      Object.assign(described, { recorded, annotations, isDescribed: false })
    if (described.isDescribed || time - described.time < describeEveryMs) return
    writeEdge(dateText(period.from))
    const text = describe(state, at)
    if (slider.getAttribute('aria-valuetext') !== text) slider.setAttribute('aria-valuetext', text)
    Object.assign(described, { time, isDescribed: true })
  }

  function movePlayhead(state: TimelineContext, width: number, at: number | null, { time, dateText }: BandWords): void {
    const isShown = at !== null && contains(state.period, at)
    if (playhead.hidden === isShown) playhead.hidden = !isShown
    if (flag.hidden !== (at === null)) flag.hidden = at === null
    if (at === null) return
    const x = timeToX(state.period, width, at)
    const text = time.hourMinuteSecond(at)
    const beyond = x < 0 ? 'before' : x > width ? 'after' : 'no'
    // After a jump the same time may be one of another day.
    const hasJumped = Math.abs(at - written.at) >= secondMs
    written.at = at
    if (hasJumped || written.text !== text || written.beyond !== beyond) {
      const date = dateText(at)
      // Digits are equally wide, so the flag keeps its width; measuring it needs a layout of the page.
      const isAsWide = written.text.length === text.length && written.date === date && written.beyond === beyond
      flagTime.textContent = text
      flagDate.textContent = date
      flag.dataset['beyond'] = beyond
      if (!isAsWide) flagHalfWidth = flag.offsetWidth / 2
      Object.assign(written, { text, date, beyond })
    }
    const left = (Math.min(width - flagHalfWidth, Math.max(flagHalfWidth, x)) - flagHalfWidth).toFixed(1)
    if (written.left !== left) {
      flag.style.transform = `translateX(${left}px)`
      edge.style.visibility = Number(left) < edgeWidth ? 'hidden' : 'visible'
      written.left = left
    }
    if (isShown) playhead.style.transform = `translateX(${x.toFixed(2)}px)`
  }

  function draw(frameTime = performance.now()): void {
    frame = requestAnimationFrame(draw)
    const drawing = surface()
    if (drawing === null) return
    const state = context()
    const at = clock()
    const currentWords = words()
    const currentSelection = selection()
    const currentLocks = locks()
    const currentMotion = foundMotion()
    if (frameTime - bufferedCache.readAt > readBufferedEveryMs)
      Object.assign(bufferedCache, { readAt: frameTime, ranges: buffered() })
    const { ranges } = bufferedCache
    const bufferedKey = ranges.map(({ from, to }) => `${Math.round(from / 500)}-${Math.round(to / 500)}`).join()
    if (painted?.words !== currentWords) Object.assign(described, undescribed)
    if (
      painted === null ||
      painted.context !== state ||
      painted.bufferedKey !== bufferedKey ||
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
        bufferedKey,
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
