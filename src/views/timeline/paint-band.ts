import { firstAfter, type Mark } from '../../machines/timeline/annotations.ts'
import { firstEndingAfter, type Interval } from '../../machines/timeline/intervals.ts'
import { timeToX, type Period } from '../../machines/timeline/timeline-geometry.ts'
import { labelsOf, labelStep, ticksOf, tickStep, type AxisLabel, type OffsetStretch } from '../../machines/timeline/timeline-labels.ts'
import type { Palette } from './palette.ts'

/** Everything that the band is drawn from; sizes in CSS pixels. */
export type BandScene = {
  readonly period: Period
  readonly width: number
  readonly now: number
  readonly intervals: readonly Interval[]
  readonly marks: readonly Mark[]
  /** Stretches that may hold recordings though what they hold isn't known yet. */
  readonly covered: readonly Period[] | null
  readonly buffered: readonly Period[]
  readonly offsets: readonly OffsetStretch[]
  readonly palette: Palette
  readonly labelText: (label: AxisLabel) => string
}

/** Rows of the band from the top, in CSS pixels. */
export const band = { height: 72, axis: 20, track: { top: 22, height: 30 }, marks: { top: 56, height: 12 } } as const

const widths = new Map<string, number>()

/** Draws the whole band; what lies between two device pixels is drawn once. */
export function paintBand(ctx: CanvasRenderingContext2D, scene: BandScene): void {
  const { width, palette } = scene
  ctx.clearRect(0, 0, width, band.height)
  paintTrack(ctx, scene)
  paintBuffered(ctx, scene)
  paintMarks(ctx, scene)
  paintAxis(ctx, scene)
  const nowX = Math.round(timeToX(scene.period, width, scene.now))
  if (nowX >= 0 && nowX <= width) {
    ctx.fillStyle = palette.text
    ctx.globalAlpha = 0.55
    for (let y = band.axis - 2; y < band.height; y += 6) ctx.fillRect(nowX, y, 1, 3)
    ctx.globalAlpha = 1
  }
}

function paintTrack(ctx: CanvasRenderingContext2D, { period, width, intervals, covered, now, palette }: BandScene): void {
  const { top, height } = band.track
  const x = (at: number) => timeToX(period, width, at)
  const end = Math.min(width, x(now))
  ctx.fillStyle = palette.raised
  if (end > 0) ctx.fillRect(0, top, end, height)
  ctx.fillStyle = palette.recorded
  ctx.globalAlpha = 0.22
  for (const { from, to } of covered ?? []) {
    const left = Math.max(0, x(from))
    const right = Math.min(end, x(to))
    if (right > left) ctx.fillRect(left, top, right - left, height)
  }
  ctx.globalAlpha = 1
  const boxes = boxesOf(intervals, period, width, now)
  for (const { left, right } of boxes.gap) {
    ctx.fillStyle = palette.panel
    ctx.fillRect(left, top, right - left, height)
  }
  hatch(ctx, boxes.gap, palette)
  ctx.fillStyle = palette.recorded
  for (const { left, right } of boxes.fragment) ctx.fillRect(left, top, Math.max(1, right - left), height)
  ctx.fillStyle = palette.live
  for (const { left, right } of boxes.live) {
    const from = Math.min(left, right - 3)
    ctx.fillRect(from, top, right - from, height)
    ctx.beginPath()
    ctx.arc((from + right) / 2, top - 5, 3, 0, 2 * Math.PI)
    ctx.fill()
  }
  ctx.fillStyle = palette.line
  ctx.fillRect(0, top - 1, width, 1)
  ctx.fillRect(0, top + height, width, 1)
}

type Box = { left: number; right: number }

/** What is shown of the intervals in pixels; boxes of one type that touch within half a pixel are one. */
export function boxesOf(intervals: readonly Interval[], period: Period, width: number, now: number): Record<Interval['type'], Box[]> {
  const boxes: Record<Interval['type'], Box[]> = { live: [], gap: [], fragment: [] }
  for (let index = firstEndingAfter(intervals, period.from); index < intervals.length; index += 1) {
    const interval = intervals[index]
    if (interval === undefined || interval.from >= period.to) break
    if (interval.type === 'gap' && interval.from >= now) continue
    const left = Math.max(0, timeToX(period, width, interval.from))
    const right = Math.min(width, timeToX(period, width, interval.to))
    const list = boxes[interval.type]
    const last = list.at(-1)
    if (last !== undefined && left - last.right < 0.5) last.right = Math.max(last.right, right)
    else list.push({ left, right })
  }
  return boxes
}

const hatchSpacing = 7

function hatch(ctx: CanvasRenderingContext2D, boxes: readonly Box[], palette: Palette): void {
  const { top, height } = band.track
  ctx.save()
  ctx.beginPath()
  for (const { left, right } of boxes) if (right - left >= 1) ctx.rect(left, top, right - left, height)
  ctx.clip()
  ctx.beginPath()
  for (const { left, right } of boxes) {
    for (let x = Math.floor((left - height) / hatchSpacing) * hatchSpacing; x < right; x += hatchSpacing) {
      ctx.moveTo(x, top + height)
      ctx.lineTo(x + height, top)
    }
  }
  ctx.strokeStyle = palette.gapLine
  ctx.globalAlpha = 0.6
  ctx.lineWidth = 1
  ctx.stroke()
  ctx.restore()
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

/** Events are filled triangles, other annotations hollow squares; one that lasts has a bar. Marks within 3 px are one. */
function paintMarks(ctx: CanvasRenderingContext2D, { period, width, marks, palette }: BandScene): void {
  const { top, height } = band.marks
  const middle = top + height / 2
  const drawn = { true: -9, false: -9 }
  const longest = 24 * 3600_000
  for (let index = firstAfter(marks, period.from - longest); index < marks.length; index += 1) {
    const mark = marks[index]
    if (mark === undefined || mark.from > period.to) break
    if (mark.to < period.from) continue
    const left = timeToX(period, width, mark.from)
    const right = timeToX(period, width, mark.to)
    ctx.fillStyle = mark.isEvent ? palette.event : palette.annotation
    if (right - left > 2) ctx.fillRect(Math.max(0, left), middle - (mark.isEvent ? 1.5 : 0.5), Math.min(width, right) - Math.max(0, left), mark.isEvent ? 3 : 1)
    if (left < drawn[`${mark.isEvent}`] + 3) continue
    drawn[`${mark.isEvent}`] = left
    if (mark.isEvent) {
      ctx.beginPath()
      ctx.moveTo(left - 4, top + 1)
      ctx.lineTo(left + 4, top + 1)
      ctx.lineTo(left, top + height - 2)
      ctx.fill()
    } else {
      ctx.strokeStyle = palette.annotation
      ctx.lineWidth = 1.5
      ctx.strokeRect(left - 3, middle - 3, 6, 6)
    }
  }
}

function paintAxis(ctx: CanvasRenderingContext2D, { period, width, offsets, palette, labelText }: BandScene): void {
  const plain = `500 11px ${palette.font}`
  const strong = `600 11px ${palette.font}`
  const measure = (label: AxisLabel) => {
    const text = labelText(label)
    const font = label.isDayStart ? strong : plain
    const key = font + text
    const known = widths.get(key)
    if (known !== undefined) return known
    ctx.font = font
    const measured = ctx.measureText(text).width
    if (widths.size > 2000) widths.clear()
    widths.set(key, measured)
    return measured
  }
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
    ctx.fillText(labelText(label), centre, 8.5)
  }
}
