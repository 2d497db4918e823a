import type { TimeRange } from '../../api/contract/time-range.ts'
import { isRepeatedAt, offsetAt, offsetsAround, type OffsetRange } from '../../machines/timeline/timeline-labels.ts'

const dayMs = 24 * 3600_000
/** More than the days of a year: panning through a year doesn't empty the cache. */
const maxCachedDays = 400
const twoDigits = (value: number) => String(value).padStart(2, '0')

/** The wall clock of a zone. Caches the offsets of each day, as it is read many times a second. */
export type LocalTime = {
  readonly zone: string
  /** The offsets around the middle of a period. */
  offsets(period: TimeRange): readonly OffsetRange[]
  /** `14:05`, with the offset if that time occurs twice. */
  hourMinute(at: number): string
  /** `14:05:03`, with the offset if that time occurs twice. */
  hourMinuteSecond(at: number): string
  /** The number of the day on the wall clock, to compare the days of two moments. */
  day(at: number): number
}

/** `local`: a moment plus the offset of its zone, so that UTC's arithmetic reads the wall clock. */
const hourMinuteOf = (local: number) =>
  `${twoDigits(Math.floor(local / 3600_000) % 24)}:${twoDigits(Math.floor(local / 60_000) % 60)}`

/** `+05:45` */
export function offsetText(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  return `${offsetMs < 0 ? '−' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

/** `14:05`, or `14:05 +02:00` for a time that occurs twice, whose offset is then `repeatedOffset`. */
export const clockText = (local: number, repeatedOffset: number | null): string =>
  repeatedOffset === null ? hourMinuteOf(local) : `${hourMinuteOf(local)} ${offsetText(repeatedOffset)}`

/** `2:03` or `1:02:03`. */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const rest = `${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  return seconds < 3600 ? rest.replace(/^0/, '') : `${Math.floor(seconds / 3600)}:${rest}`
}

export function localTimeOf(zone: string): LocalTime {
  const offsetsByDay = new Map<number, readonly OffsetRange[]>()
  const around = (at: number): readonly OffsetRange[] => {
    const key = Math.floor(at / dayMs)
    const offsets = offsetsByDay.get(key) ?? offsetsAround(zone, { from: key * dayMs, to: (key + 1) * dayMs })
    if (offsetsByDay.size > maxCachedDays) offsetsByDay.clear()
    offsetsByDay.set(key, offsets)
    return offsets
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
