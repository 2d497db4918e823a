import type { TimeRange } from '../../api/contract/time-range.ts'
import { firstAfter, type Mark } from '../../machines/timeline/annotations.ts'
import { firstEndingAfter, type Interval } from '../../machines/timeline/intervals.ts'
import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import {
  labelsOf,
  labelStep,
  ticksOf,
  tickStep,
  type AxisLabel,
  type OffsetRange,
} from '../../machines/timeline/timeline-labels.ts'
import { paintClockChanges } from './paint-clock-changes.ts'
import type { Palette } from './palette.ts'

/** Everything that the band is drawn from; sizes in CSS pixels. */
export type BandScene = {
  readonly period: TimeRange
  readonly width: number
  readonly now: number
  readonly intervals: readonly Interval[]
  readonly marks: readonly Mark[]
  /** Stretches that may hold recordings though what they hold isn't known yet. */
  readonly covered: readonly TimeRange[] | null
  readonly buffered: readonly TimeRange[]
  /** The in and the out mark, as far as they are set. */
  readonly selection: { readonly from: number | null; readonly to: number | null }
  readonly offsets: readonly OffsetRange[]
  readonly palette: Palette
  readonly labelText: (label: AxisLabel) => string
}

/** Rows of the band from the top, in CSS pixels. */
export const band = { height: 72, axis: 20, track: { top: 22, height: 30 }, marks: { top: 56, height: 12 } } as const

interface Written {
  text: string
  width: number
  isDayStart: boolean
  font: string
}

const texts = new WeakMap<BandScene['labelText'], Map<number, Written>>()

/** What was written at moments before, by the function that writes, so that a moving axis is neither worded nor measured anew. */
function writtenBy(labelText: BandScene['labelText']): Map<number, Written> {
  const known = texts.get(labelText) ?? new Map<number, Written>()
  texts.set(labelText, known)
  return known
}

/** Draws the whole band; what lies between two device pixels is drawn once. */
export function paintBand(ctx: CanvasRenderingContext2D, scene: BandScene): void {
  const { width, palette } = scene
  ctx.clearRect(0, 0, width, band.height)
  paintTrack(ctx, scene, band.track)
  paintBuffered(ctx, scene)
  paintMarks(ctx, scene)
  paintClockChanges(ctx, scene)
  paintAxis(ctx, scene)
  paintSelection(ctx, scene)
  const nowX = Math.round(timeToX(scene.period, width, scene.now))
  if (nowX >= 0 && nowX <= width) {
    ctx.fillStyle = palette.text
    ctx.globalAlpha = 0.55
    for (let y = band.axis - 2; y < band.height; y += 6) ctx.fillRect(nowX, y, 1, 3)
    ctx.globalAlpha = 1
  }
}

/** What is recorded, live and not, in a row of the canvas. */
export function paintTrack(
  ctx: CanvasRenderingContext2D,
  scene: SpanSource & Pick<BandScene, 'covered' | 'palette'>,
  { top, height }: { readonly top: number; readonly height: number },
): void {
  const { period, width, covered, now, palette } = scene
  const x = (at: number) => Math.round(timeToX(period, width, at))
  const end = Math.min(width, x(now))
  ctx.fillStyle = palette.raised
  if (end > 0) ctx.fillRect(0, top, end, height)
  ctx.fillStyle = palette.recorded
  ctx.globalAlpha = 0.22
  for (const { from, to } of covered ?? [])
    fillSpan(ctx, { left: Math.max(0, x(from)), right: Math.min(end, x(to)) }, top, height)
  ctx.globalAlpha = 1
  const { known, fragment, live } = spansOf(scene)
  ctx.fillStyle = palette.panel
  for (const span of known) fillSpan(ctx, span, top, height)
  ctx.fillStyle = hatching(ctx, palette)
  for (const span of known) fillSpan(ctx, span, top, height)
  ctx.fillStyle = palette.recorded
  for (const span of fragment) fillSpan(ctx, span, top, height)
  ctx.fillStyle = palette.live
  for (const { left, right } of live) {
    const from = Math.min(left, right - 3)
    fillSpan(ctx, { left: from, right }, top, height)
    ctx.beginPath()
    ctx.arc((from + right) / 2, top - 5, 3, 0, 2 * Math.PI)
    ctx.fill()
  }
  ctx.fillStyle = palette.line
  ctx.fillRect(0, top - 1, width, 1)
  ctx.fillRect(0, top + height, width, 1)
}

type Span = { left: number; right: number }
export type Spans = Record<'known' | 'fragment' | 'live', Span[]>

export function fillSpan(ctx: CanvasRenderingContext2D, { left, right }: Span, top: number, height: number): void {
  if (right > left) ctx.fillRect(left, top, right - left, height)
}

type SpanSource = Pick<BandScene, 'intervals' | 'period' | 'width' | 'now'>

/**
 * What is shown of the intervals in whole pixels: the time that is known, and what of it is recorded or live. A fragment
 * has one pixel at least, a gap shows where it has one; what touches is one span, so there are never more than pixels.
 */
export function spansOf({ intervals, period, width, now }: SpanSource): Spans {
  const spans: Spans = { known: [], fragment: [], live: [] }
  const add = (list: Span[], left: number, right: number) => {
    const last = list.at(-1)
    if (last !== undefined && left <= last.right) last.right = Math.max(last.right, right)
    else list.push({ left, right })
  }
  for (let index = firstEndingAfter(intervals, period.from); index < intervals.length; index += 1) {
    const interval = intervals[index]
    if (interval === undefined || interval.from >= period.to || (interval.type === 'gap' && interval.from >= now)) break
    const left = Math.max(0, Math.floor(timeToX(period, width, interval.from)))
    const right = Math.min(width, Math.max(left + 1, Math.round(timeToX(period, width, interval.to))))
    add(spans.known, left, right)
    if (interval.type !== 'gap') add(spans[interval.type], left, right)
  }
  return spans
}

const hatchSpacing = 7
const patterns = new Map<string, CanvasPattern | string>()

/** Diagonal lines as a pattern, made once a colour and screen; a plain colour where patterns can't be had. */
function hatching(ctx: CanvasRenderingContext2D, { gapLine, gap }: Palette): CanvasPattern | string {
  const ratio = Math.max(1, Math.round(devicePixelRatio))
  const key = `${gapLine} ${ratio}`
  const known = patterns.get(key)
  if (known !== undefined) return known
  const size = hatchSpacing * ratio
  const chunk = new OffscreenCanvas(size, size)
  const pen = chunk.getContext('2d')
  if (pen === null) return gap
  pen.strokeStyle = gapLine
  pen.globalAlpha = 0.6
  pen.lineWidth = ratio
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size)
    pen.lineTo(shift + size, 0)
  }
  pen.stroke()
  const made = ctx.createPattern(chunk, 'repeat') ?? gap
  if (typeof made !== 'string') made.setTransform(new DOMMatrix().scale(1 / ratio))
  patterns.set(key, made)
  return made
}

function paintBuffered(ctx: CanvasRenderingContext2D, { period, width, buffered, palette }: BandScene): void {
  ctx.fillStyle = palette.text
  ctx.globalAlpha = 0.75
  for (const { from, to } of buffered) {
    const left = Math.max(0, timeToX(period, width, from))
    const right = Math.min(width, timeToX(period, width, to))
    if (right > left) ctx.fillRect(left, band.track.top + band.track.height - 3, right - left, 3)
  }
  ctx.globalAlpha = 1
}

/** A veil over what is marked, and at each mark a line with a flag that points inwards. */
function paintSelection(
  ctx: CanvasRenderingContext2D,
  { period, width, selection: { from, to }, palette }: BandScene,
): void {
  const { top, height } = band.track
  const x = (at: number) => Math.round(timeToX(period, width, at))
  if (from !== null && to !== null) {
    const span = { left: Math.max(0, x(from)), right: Math.min(width, x(to)) }
    ctx.fillStyle = palette.text
    ctx.globalAlpha = 0.28
    fillSpan(ctx, span, top, height)
    ctx.globalAlpha = 1
    ctx.fillStyle = palette.accent
    fillSpan(ctx, span, top - 2, 2)
    fillSpan(ctx, span, top + height, 2)
  }
  ctx.fillStyle = palette.accent
  for (const [at, direction] of [
    [from, 1],
    [to, -1],
  ] as const) {
    if (at === null) continue
    const edge = x(at)
    ctx.fillRect(edge - 1, top - 2, 2, height + 12)
    ctx.beginPath()
    ctx.moveTo(edge - direction, top + height + 2)
    ctx.lineTo(edge + direction * 8, top + height + 6)
    ctx.lineTo(edge - direction, top + height + 10)
    ctx.fill()
  }
}

/** Marks nearer to each other than this are one. */
const markSpacing = 5
const longestMark = 24 * 3600_000

/** Events are filled triangles, other annotations hollow squares; one that lasts has a bar. */
function paintMarks(ctx: CanvasRenderingContext2D, { period, width, marks, palette }: BandScene): void {
  const { top, height } = band.marks
  const middle = top + height / 2
  const events: number[] = []
  const others: number[] = []
  for (let index = firstAfter(marks, period.from - longestMark); index < marks.length; index += 1) {
    const mark = marks[index]
    if (mark === undefined || mark.from > period.to) break
    if (mark.to < period.from) continue
    const left = Math.round(timeToX(period, width, mark.from))
    const right = Math.round(timeToX(period, width, mark.to))
    ctx.fillStyle = mark.isEvent ? palette.event : palette.annotation
    const span = { left: Math.max(0, left), right: Math.min(width, right) }
    if (right - left > 2) fillSpan(ctx, span, middle - (mark.isEvent ? 2 : 1), mark.isEvent ? 3 : 1)
    const list = mark.isEvent ? events : others
    if (left >= (list.at(-1) ?? Number.NEGATIVE_INFINITY) + markSpacing) list.push(left)
  }
  ctx.fillStyle = palette.event
  ctx.beginPath()
  for (const x of events) {
    ctx.moveTo(x - 4, top + 1)
    ctx.lineTo(x + 4, top + 1)
    ctx.lineTo(x, top + height - 2)
  }
  ctx.fill()
  ctx.fillStyle = palette.annotation
  for (const x of others) {
    ctx.fillRect(x - 3, middle - 4, 7, 1.5)
    ctx.fillRect(x - 3, middle + 1.5, 7, 1.5)
    ctx.fillRect(x - 3, middle - 4, 1.5, 7)
    ctx.fillRect(x + 2.5, middle - 4, 1.5, 7)
  }
}

/** The labels and ticks above the rows. */
export function paintAxis(
  ctx: CanvasRenderingContext2D,
  {
    period,
    width,
    offsets,
    palette,
    labelText,
  }: Pick<BandScene, 'period' | 'width' | 'offsets' | 'palette' | 'labelText'>,
): void {
  const plain = `500 11px ${palette.font}`
  const strong = `600 11px ${palette.font}`
  const known = writtenBy(labelText)
  const written = (label: AxisLabel): Written => {
    const found = known.get(label.at)
    if (found !== undefined && found.isDayStart === label.isDayStart && found.font === palette.font) return found
    const text = labelText(label)
    ctx.font = label.isDayStart ? strong : plain
    const made = { text, width: ctx.measureText(text).width, isDayStart: label.isDayStart, font: palette.font }
    if (known.size > 2000) known.clear()
    known.set(label.at, made)
    return made
  }
  const measure = (label: AxisLabel) => written(label).width
  const labels = labelsOf(period, width, offsets, measure)
  ctx.fillStyle = palette.lineStrong
  ctx.globalAlpha = 0.5
  for (const at of ticksOf(period, offsets, tickStep(labelStep(period, width)))) {
    ctx.fillRect(Math.round(timeToX(period, width, at)), band.axis - 2, 1, 3)
  }
  ctx.globalAlpha = 1
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  for (const label of labels) {
    const x = Math.round(label.x)
    ctx.fillStyle = palette.lineStrong
    ctx.fillRect(x, label.isDayStart ? 0 : band.axis - 5, 1, label.isDayStart ? band.height : 6)
    const half = measure(label) / 2
    const centre = Math.min(width - half - 2, Math.max(half + 2, label.x))
    if (Math.abs(centre - label.x) > half) continue
    if (label.isDayStart) {
      ctx.fillStyle = palette.panel
      ctx.fillRect(centre - half - 3, 1, 2 * half + 6, 14)
    }
    ctx.font = label.isDayStart ? strong : plain
    ctx.fillStyle = label.isDayStart ? palette.text : palette.muted
    ctx.fillText(written(label).text, centre, 8.5)
  }
}
