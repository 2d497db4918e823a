/**
 * The segments of a chunk, packed. They follow one another in its file. Times in epoch milliseconds, `duration` and
 * `mediaStart` in seconds.
 */
export type TableSegment = {
  start: number
  finish: number
  duration: number
  mediaStart: number
  /** Offset in the file. */
  offset: number
  bytes: number
}

/** A flag byte marks what differs from the rule; its upper half holds the lowest bits of the length. */
const startsApart = 1
const lastsOtherwise = 2
const mediaStartsApart = 4
const finishesOtherwise = 8
const lowBits = 16

const version = 1
const maxSegments = 100_000

/** Variable-length integers up to 2^53 in groups of seven bits; the lowest bit is the sign. */
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
    whole: () => Buffer.from(bytes),
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

/** `timescale`: units a second to which durations and media starts are exact. The first segment's start isn't kept. */
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
    const [gap, own] = [segment.start - finish, ticksOf(segment.duration)]
    const [longer, mediaGap] = [own - ticks, ticksOf(segment.mediaStart) - mediaEnd]
    const later = segment.finish - finishOf(segment.start, own, timescale)
    writer.byte(
      (gap === 0 ? 0 : startsApart) +
        (longer === 0 ? 0 : lastsOtherwise) +
        (mediaGap === 0 ? 0 : mediaStartsApart) +
        (later === 0 ? 0 : finishesOtherwise) +
        (segment.bytes % lowBits) * lowBits,
    )
    writer.unsigned(Math.floor(segment.bytes / lowBits))
    for (const value of [gap, longer, mediaGap, later]) if (value !== 0) writer.signed(value)
    finish = segment.finish
    ticks = own
    mediaEnd += mediaGap + own
  }
  return writer.whole()
}

type Add = (start: number, finish: number, duration: number, mediaStart: number, offset: number, bytes: number) => void

/**
 * Calls `add` for each segment, as a week has 300,000 of them. `start` is that of the first one. Throws BrokenTable.
 */
export const readTable = (bytes: Uint8Array, start: number, add: Add): void => {
  const reader = createReader(bytes)
  if (reader.unsigned() !== version) throw new BrokenTable('The table is of another version')
  const timescale = reader.unsigned()
  const count = reader.unsigned()
  if (timescale === 0 || count > maxSegments) throw new BrokenTable('The table is impossible')
  let offset = reader.unsigned()
  let [finish, ticks, mediaEnd] = [start, 0, reader.signed()]
  for (let index = 0; index < count; index += 1) {
    const flags = reader.byte()
    const length = reader.unsigned() * lowBits + (flags >> 4)
    const value = (flag: number): number => ((flags & flag) === 0 ? 0 : reader.signed())
    const begins = finish + value(startsApart)
    ticks += value(lastsOtherwise)
    const media = mediaEnd + value(mediaStartsApart)
    finish = finishOf(begins, ticks, timescale) + value(finishesOtherwise)
    mediaEnd = media + ticks
    add(begins, finish, ticks / timescale, media / timescale, offset, length)
    offset += length
  }
  if (!reader.isAtEnd()) throw new BrokenTable('Something follows the table')
}

export const unpackTable = (table: Uint8Array, first: number): TableSegment[] => {
  const segments: TableSegment[] = []
  readTable(table, first, (start, finish, duration, mediaStart, offset, bytes) =>
    segments.push({ start, finish, duration, mediaStart, offset, bytes }),
  )
  return segments
}
