import { setImmediate as nextTurn } from 'node:timers/promises'
import { createByteCache } from '../../media/byte-cache.ts'
import type { ListedSegment } from '../format/segment.ts'
import { unpackHour, type PackedHour } from '../index/packed-hours.ts'
import { maxBytesOfSegment, type LineWriter } from './line-writer.ts'

/** What a playlist has of an hour, without what precedes its first segment. `length`: of all that is kept. */
type HourText = { text: Buffer; first: ListedSegment; last: ListedSegment; packed: string; length: number }

/** A week of segments of two seconds takes 31 MB. */
const maxBytes = 64 * 1024 * 1024

/** Of the playlist (`recordedPlaylist`). */
type Listing = {
  kind: string
  write: LineWriter
  listed?: ((segment: ListedSegment) => ListedSegment[]) | undefined
}

/** Undefined for an hour without segments. */
export type HourTexts = (hour: PackedHour, listing: Listing) => Promise<HourText | undefined>

/** Caches the texts of hours. One whose chunks have changed is written again. */
export const createHourTexts = (): HourTexts => {
  const kept = createByteCache<HourText>(maxBytes)
  let scratch = Buffer.allocUnsafeSlow(256 * 1024)

  const textOf = (segments: readonly ListedSegment[], first: ListedSegment, write: LineWriter): Buffer => {
    let at = 0
    // It follows itself without a break.
    let before = { ...first, finish: first.start }
    for (const segment of segments) {
      if (at > scratch.length - maxBytesOfSegment)
        scratch = Buffer.concat([scratch, Buffer.allocUnsafeSlow(scratch.length)])
      at = write(scratch, at, segment, before)
      before = segment
    }
    const text = Buffer.allocUnsafeSlow(at)
    scratch.copy(text, 0, 0, at)
    return text
  }

  return async ({ recording, hour, packed }, { kind, write, listed }) => {
    const key = `${recording} ${hour} ${kind}`
    const known = kept.get(key)
    if (known?.packed === packed) return known
    await nextTurn()
    const segments = unpackHour({ packed })
    const [first] = segments
    const last = segments.at(-1)
    if (first === undefined || last === undefined) return undefined
    const text = textOf(listed === undefined ? segments : segments.flatMap(listed), first, write)
    const made = { text, first, last, packed, length: text.length + packed.length }
    kept.put(key, made)
    return made
  }
}
