import type { TimeRange } from '../../api/contract/time-range.ts'
import { lengthOf, timeToX } from './timeline-geometry.ts'

const dayMs = 24 * 3600_000
const minLengthMs = 3 * dayMs
const preferredSpacingPx = 70

/** Bounds the loop if width or period is wrong. */
const maxLabels = 500
/** The ends of the overview are rounded to this, so that it doesn't move with every tick and drag. */
const roundingMs = 6 * 3600_000

/** The period of the overview band: all recordings, the last three days, the shown period, and three hours from now. */
export function overviewPeriod(recorded: TimeRange | null, shown: TimeRange, now: number): TimeRange {
  const from = Math.min(recorded?.from ?? now, now - minLengthMs, shown.from)
  const to = Math.max(now + 3 * 3600_000, shown.to)
  return { from: Math.max(0, Math.floor(from / roundingMs) * roundingMs), to: Math.ceil(to / roundingMs) * roundingMs }
}

/** What the overview band shows, as in the timeline's context. */
interface Shown {
  readonly coverage: { readonly recorded: TimeRange | null } | null
  readonly period: TimeRange
  readonly live: { readonly now: number }
}

/** The period of the overview band of a timeline. */
export const wholePeriod = ({ coverage, period, live }: Shown): TimeRange =>
  overviewPeriod(coverage?.recorded ?? null, period, live.now)

/** The moment on which a key centres the period; undefined for other keys. */
export function momentByKey(key: string, shown: Shown): number | undefined {
  const { period, live } = shown
  const whole = wholePeriod(shown)
  const middle = (period.from + period.to) / 2
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: middle - dayMs,
    ArrowDown: middle - dayMs,
    ArrowRight: middle + dayMs,
    ArrowUp: middle + dayMs,
    PageDown: middle - 7 * dayMs,
    PageUp: middle + 7 * dayMs,
    Home: whole.from,
    End: live.now,
  }
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined
  return target === undefined ? undefined : Math.min(live.now, Math.max(whole.from, target))
}

/** A label at the start of a local day, `x` px from the left edge; `isMonth`: it names the month. */
export type DateLabel = { readonly at: number; readonly x: number; readonly isMonth: boolean }

/** Labels at least about 70 px apart: days, weeks, or the starts of months, quarters and years. */
export function dateLabels(period: TimeRange, width: number, zone: string): DateLabel[] {
  const perDay = (dayMs / lengthOf(period)) * width
  const days = [1, 2, 7, 14].find((count) => count * perDay >= preferredSpacingPx)
  const months = [1, 2, 3, 6, 12, 24, 60].find((count) => count * 30 * perDay >= preferredSpacingPx) ?? 120
  const first = Temporal.Instant.fromEpochMilliseconds(Math.floor(period.from)).toZonedDateTimeISO(zone).toPlainDate()
  const labels: DateLabel[] = []
  const startingAt =
    days === undefined
      ? first.with({ day: 1 }).subtract({ months: (first.year * 12 + first.month - 1) % months })
      : first
  const step = days === undefined ? { months } : { days }
  for (let date = startingAt; labels.length < maxLabels; date = date.add(step)) {
    const at = date.toZonedDateTime(zone).epochMilliseconds
    if (at > period.to) break
    if (at >= period.from) labels.push({ at, x: timeToX(period, width, at), isMonth: days === undefined })
  }
  return labels
}
