import * as z from 'zod/mini'

/**
 * A segment of a chunk; they follow one another in its file. `start` and `finish` in epoch milliseconds, `duration` and
 * `mediaStart` in seconds.
 */
export const TableSegment = z.object({
  start: z.number(),
  finish: z.number(),
  duration: z.number(),
  mediaStart: z.number(),
  /** Offset in the file. */
  offset: z.number(),
  bytes: z.number(),
})
export type TableSegment = z.output<typeof TableSegment>

/**
 * A segment usually begins where the one before it ends, in media time too, and lasts as long. Flags mark what differs;
 * only these differences are written. The upper half of the flags' byte has the lowest bits of the length in bytes.
 */
const hasOtherStart = 1
const hasOtherDuration = 2
const hasOtherMediaStart = 4
const hasOtherFinish = 8
const lowBits = 16

const version = 1
const maxSegments = 100_000

/** Writes integers up to 2^53 in groups of seven bits, the lowest first; of a signed one the lowest bit is the sign. */
const createWriter = () => {
  const bytes: number[] = []
  const unsigned = (value: number): void => {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return {
    byte: (value: number) => bytes.push(value),
    unsigned,
    signed: (value: number) => unsigned(value < 0 ? -2 * value - 1 : 2 * value),
    bytes: () => Buffer.from(bytes),
  }
}

export class BrokenTable extends Error {}

const createReader = (bytes: Uint8Array) => {
  let at = 0
  const byte = (): number => {
    const value = bytes[at]
    if (value === undefined) throw new BrokenTable('The table ends too soon')
    at += 1
    return value
  }
  const unsigned = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const group = byte()
      value += (group & 127) * unit
      if (value > Number.MAX_SAFE_INTEGER) throw new BrokenTable('A number is too large')
      if (group < 128) return value
    }
  }
  const signed = (): number => {
    const value = unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
  return { byte, unsigned, signed, isAtEnd: () => at === bytes.length }
}

const finishOf = (start: number, ticks: number, timescale: number): number =>
  Math.round(start + (ticks / timescale) * 1000)

/**
 * `timescale`: units per second of `duration` and `mediaStart`. The table doesn't have the start of the first segment.
 */
export const packTable = (segments: readonly TableSegment[], timescale: number): Buffer => {
  const writer = createWriter()
  const ticksOf = (seconds: number): number => Math.round(seconds * timescale)
  const [first] = segments
  let [finish, ticks, mediaEnd] = [first?.start ?? 0, 0, ticksOf(first?.mediaStart ?? 0)]
  writer.unsigned(version)
  writer.unsigned(timescale)
  writer.unsigned(segments.length)
  writer.unsigned(first?.offset ?? 0)
  writer.signed(mediaEnd)
  for (const segment of segments) {
    const ownTicks = ticksOf(segment.duration)
    const gapMs = segment.start - finish
    const moreTicks = ownTicks - ticks
    const mediaGap = ticksOf(segment.mediaStart) - mediaEnd
    const laterMs = segment.finish - finishOf(segment.start, ownTicks, timescale)
    writer.byte(
      (gapMs === 0 ? 0 : hasOtherStart) +
        (moreTicks === 0 ? 0 : hasOtherDuration) +
        (mediaGap === 0 ? 0 : hasOtherMediaStart) +
        (laterMs === 0 ? 0 : hasOtherFinish) +
        (segment.bytes % lowBits) * lowBits,
    )
    writer.unsigned(Math.floor(segment.bytes / lowBits))
    for (const value of [gapMs, moreTicks, mediaGap, laterMs]) if (value !== 0) writer.signed(value)
    finish = segment.finish
    ticks = ownTicks
    mediaEnd += mediaGap + ownTicks
  }
  return writer.bytes()
}

type Add = (start: number, finish: number, duration: number, mediaStart: number, offset: number, bytes: number) => void

/**
 * Calls `add` for each segment, without an object for each: a week has 300,000. `start` is that of the first segment.
 * Throws BrokenTable.
 */
export const readTable = (bytes: Uint8Array, start: number, add: Add): void => {
  const reader = createReader(bytes)
  if (reader.unsigned() !== version) throw new BrokenTable('The table is of another version')
  const timescale = reader.unsigned()
  const count = reader.unsigned()
  if (timescale === 0 || count > maxSegments) throw new BrokenTable('The table has impossible values')
  let offset = reader.unsigned()
  let [finish, ticks, mediaEnd] = [start, 0, reader.signed()]
  for (let index = 0; index < count; index += 1) {
    const flags = reader.byte()
    const length = reader.unsigned() * lowBits + (flags >> 4)
    const differenceBy = (flag: number): number => ((flags & flag) === 0 ? 0 : reader.signed())
    const segmentStart = finish + differenceBy(hasOtherStart)
    ticks += differenceBy(hasOtherDuration)
    const mediaStart = mediaEnd + differenceBy(hasOtherMediaStart)
    finish = finishOf(segmentStart, ticks, timescale) + differenceBy(hasOtherFinish)
    mediaEnd = mediaStart + ticks
    add(segmentStart, finish, ticks / timescale, mediaStart / timescale, offset, length)
    offset += length
  }
  if (!reader.isAtEnd()) throw new BrokenTable('Something follows the table')
}

/** The segments of a table. `first`: the start of the first one. Throws BrokenTable. */
export const unpackTable = (table: Uint8Array, first: number): TableSegment[] => {
  const segments: TableSegment[] = []
  readTable(table, first, (start, finish, duration, mediaStart, offset, bytes) =>
    segments.push({ start, finish, duration, mediaStart, offset, bytes }),
  )
  return segments
}
