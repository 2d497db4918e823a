import type { TimeRange } from '../../api/contract/time-range.ts'
import { isRepeatedAt, offsetAt, offsetsAround, type OffsetRange } from '../../machines/timeline/timeline-labels.ts'

const dayMs = 24 * 3600_000
/** More than the days of a year, so that a year's days stay known. */
const maxKnownDays = 400
const twoDigits = (value: number) => String(value).padStart(2, '0')

/** The wall clock of a zone. Caches the offsets of each day, as it is read many times a second. */
export type LocalTime = {
  readonly zone: string
  offsets(period: TimeRange): readonly OffsetRange[]
  /** `14:05`, with the offset if that time occurs twice. */
  hourMinute(at: number): string
  /** `14:05:03`, with the offset if that time occurs twice. */
  hourMinuteSecond(at: number): string
  /** The number of the day on the wall clock, to compare the days of two moments. */
  day(at: number): number
}

const hourMinuteOf = (local: number) =>
  `${twoDigits(Math.floor(local / 3600_000) % 24)}:${twoDigits(Math.floor(local / 60_000) % 60)}`

export function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000)
  return `${offset < 0 ? '−' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

/** `14:05` for a wall clock in milliseconds, with the UTC offset if the time occurs twice. */
export const clockText = (local: number, repeatedOffset: number | null): string =>
  repeatedOffset === null ? hourMinuteOf(local) : `${hourMinuteOf(local)} ${offsetText(repeatedOffset)}`

/** `2:03` or `1:02:03`. */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const rest = `${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  return seconds < 3600 ? rest.replace(/^0/, '') : `${Math.floor(seconds / 3600)}:${rest}`
}

export function localTimeOf(zone: string): LocalTime {
  const known = new Map<number, readonly OffsetRange[]>()
  const around = (at: number): readonly OffsetRange[] => {
    const key = Math.floor(at / dayMs)
    const found = known.get(key) ?? offsetsAround(zone, { from: key * dayMs, to: (key + 1) * dayMs })
    if (known.size > maxKnownDays) known.clear()
    known.set(key, found)
    return found
  }
  const suffix = (at: number, offsets: readonly OffsetRange[]) =>
    isRepeatedAt(offsets, at) ? ` ${offsetText(offsetAt(offsets, at))}` : ''
  return {
    zone,
    offsets: ({ from, to }) => around((from + to) / 2),
    hourMinute: (at) => {
      const offsets = around(at)
      return hourMinuteOf(at + offsetAt(offsets, at)) + suffix(at, offsets)
    },
    hourMinuteSecond: (at) => {
      const offsets = around(at)
      const local = at + offsetAt(offsets, at)
      return `${hourMinuteOf(local)}:${twoDigits(Math.floor(local / 1000) % 60)}${suffix(at, offsets)}`
    },
    day: (at) => Math.floor((at + offsetAt(around(at), at)) / dayMs),
  }
}
