import type { TimeRange } from '../../api/contract/time-range.ts'
import { lengthOf, timeToX } from './timeline-geometry.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** From `from` until the start of the next range, local time is UTC plus `offset` milliseconds. */
export type OffsetRange = { readonly from: number; readonly offset: number }

/**
 * A label of the time axis. `local` is the local time as if it were UTC, so that UTC getters return its hours and
 * minutes. `isRepeated`: that local time occurs twice, so the label shows the `offset` (milliseconds).
 */
export type AxisLabel = {
  readonly at: number
  readonly x: number
  readonly local: number
  readonly offset: number
  readonly isDayStart: boolean
  readonly isRepeated: boolean
}

/** `centre` and `width`, in pixels: of its text; 0 wide without one. */
export type PlacedLabel = AxisLabel & { readonly centre: number; readonly width: number }

/** The distance between the middles of two labels. */
const preferredSpacingPx = 70
const minSpacingPx = 46

/** docs/behaviour.md §8: 1, 5, 15, 30, 60 minutes, or multiples of hours that divide the day. */
const labelSteps = [1, 5, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1440].map((minutes) => minutes * minuteMs)

/** Milliseconds between labels, so that they have about the preferred spacing. */
export function labelStep(period: TimeRange, width: number): number {
  const pixels = (step: number) => (step / lengthOf(period)) * width
  const distance = (step: number) => Math.abs(Math.log(pixels(step) / preferredSpacingPx))
  const spacious = labelSteps.filter((step) => pixels(step) >= minSpacingPx)
  return spacious.reduce((best, step) => (distance(step) < distance(best) ? step : best), spacious[0] ?? dayMs)
}

/** A zone's offsets from a day and a half before the period to a day and a half after it; the first starts at -∞. */
export function offsetsAround(zone: string, { from, to }: TimeRange): OffsetRange[] {
  const start = Temporal.Instant.fromEpochMilliseconds(Math.floor(from - 1.5 * dayMs)).toZonedDateTimeISO(zone)
  const ranges = [{ from: Number.NEGATIVE_INFINITY, offset: start.offsetNanoseconds / 1e6 }]
  for (let next = start.getTimeZoneTransition('next'); next !== null; next = next.getTimeZoneTransition('next')) {
    if (next.epochMilliseconds > to + 1.5 * dayMs) break
    ranges.push({ from: next.epochMilliseconds, offset: next.offsetNanoseconds / 1e6 })
  }
  return ranges
}

/** The offset at a moment, in milliseconds. */
export function offsetAt(offsets: readonly OffsetRange[], at: number): number {
  return offsets.findLast(({ from }) => from <= at)?.offset ?? 0
}

/** A clock set back repeats the local times of `from`…`at` in `at`…`to`; a clock set forward skips some at `at`. */
export type ClockChange =
  | { readonly kind: 'repeated'; readonly from: number; readonly at: number; readonly to: number }
  | { readonly kind: 'skipped'; readonly at: number }

export function clockChanges({ from, to }: TimeRange, offsets: readonly OffsetRange[]): ClockChange[] {
  return offsets.flatMap((range, index): ClockChange[] => {
    const at = range.from
    const back = (offsets[index - 1]?.offset ?? range.offset) - range.offset
    if (back > 0 && at - back < to && at + back > from)
      return [{ kind: 'repeated', from: at - back, at, to: at + back }]
    return back < 0 && from <= at && at <= to ? [{ kind: 'skipped', at }] : []
  })
}

export const isRepeatedAt = (offsets: readonly OffsetRange[], at: number): boolean =>
  offsets.length > 1 &&
  clockChanges({ from: at, to: at + 1 }, offsets).some(
    (change) => change.kind === 'repeated' && change.from <= at && at < change.to,
  )

/**
 * The labels of a band `width` pixels wide, from left to right: at multiples of the step in local time, and at the
 * start of each day. `measure` returns the width of a label in pixels; labels don't overlap. A day's start displaces
 * its neighbours if there isn't space for both.
 */
export function labelsOf(
  period: TimeRange,
  width: number,
  offsets: readonly OffsetRange[],
  measure: (label: AxisLabel) => number,
): PlacedLabel[] {
  const step = labelStep(period, width)
  const found: AxisLabel[] = []
  offsets.forEach(({ from, offset }, index) => {
    const until = Math.min(period.to, (offsets[index + 1]?.from ?? Number.POSITIVE_INFINITY) - 1)
    const first = Math.max(period.from, from)
    const previous = offsets[index - 1]?.offset ?? offset
    const label = (local: number, isDayStart: boolean): AxisLabel => {
      const at = local - offset
      return { at, x: timeToX(period, width, at), local, offset, isDayStart, isRepeated: isRepeatedAt(offsets, at) }
    }
    const startsDay = from === first && isDayStartingAt(from, previous, offset)
    if (startsDay && from <= until) found.push(label(from + offset, true))
    for (let local = Math.ceil((first + offset) / step) * step; local - offset <= until; local += step) {
      const isMidnight = local % dayMs === 0 && !(previous > offset && local - offset - from < previous - offset)
      if (!(startsDay && local - offset === from)) found.push(label(local, isMidnight))
    }
  })
  return withoutOverlaps(found.map((label) => placed(label, width, measure(label))))
}

/** Whether a day starts at a clock change, because midnight is skipped or repeated. */
function isDayStartingAt(at: number, offsetBefore: number, offset: number): boolean {
  return Math.floor((at - 1 + offsetBefore) / dayMs) < Math.floor((at + offset) / dayMs)
}

const labelGapPx = 8
const edgeGapPx = 2

/** Near an edge the text of a day's start moves into the band, that of an hour is left out. */
function placed(label: AxisLabel, bandWidth: number, width: number): PlacedLabel {
  const inset = width / 2 + edgeGapPx
  const centre = Math.min(bandWidth - inset, Math.max(inset, label.x))
  return centre === label.x || label.isDayStart ? { ...label, centre, width } : { ...label, centre: label.x, width: 0 }
}

function withoutOverlaps(labels: readonly PlacedLabel[]): PlacedLabel[] {
  const kept: PlacedLabel[] = []
  for (const label of labels) {
    const isClear = () => {
      const last = kept.at(-1)
      return last === undefined || label.centre - label.width / 2 - labelGapPx >= last.centre + last.width / 2
    }
    while (label.isDayStart && !isClear() && kept.at(-1)?.isDayStart === false) kept.pop()
    if (isClear()) kept.push(label)
  }
  return kept
}

/** The moments of the ticks, at multiples of the step in local time. */
export function ticksOf(period: TimeRange, offsets: readonly OffsetRange[], step: number): number[] {
  const ticks: number[] = []
  offsets.forEach(({ from, offset }, index) => {
    const until = Math.min(period.to, (offsets[index + 1]?.from ?? Number.POSITIVE_INFINITY) - 1)
    const first = Math.ceil((Math.max(period.from, from) + offset) / step) * step
    for (let at = first - offset; at <= until; at += step) ticks.push(at)
  })
  return ticks
}

/** Milliseconds between ticks, for labels that are `step` apart. */
export function tickStep(step: number): number {
  if (step >= 4 * hourMs) return hourMs
  if (step >= hourMs) return step / 4
  return step === 5 * minuteMs ? minuteMs : step / (step === minuteMs ? 6 : 3)
}
