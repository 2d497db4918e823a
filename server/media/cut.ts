import { boxesIn, bytesOfBox, makeBox, type Box } from './boxes.ts'
import { readFragment, type Fragment } from './fragments.ts'
import type { Init } from './init.ts'
import { samplesOf, shownAt } from './movie.ts'
import { readSamples, rowsIn, withDataNearer, type Sample, type TrackSamples } from './samples.ts'

/** How many samples, in decoding order, are needed to show all that are shown before `end`, in units of the track. */
const neededBefore = ({ decodeTime, samples }: TrackSamples, end: number): number => {
  let time = decodeTime
  let needed = 0
  for (const [index, { duration, offset }] of samples.entries()) {
    if (time + offset < end) needed = index + 1
    time += duration
  }
  return needed
}

/** A traf that was cut: the box (undefined if no sample is left), and its kept and dropped samples. */
type Cut = { box: Buffer | undefined; kept: readonly Sample[]; dropped: readonly Sample[] }

/** A traf with its first `count` samples. */
const shortened = (bytes: Buffer, traf: Box, count: number): Buffer => {
  let left = count
  const children = boxesIn(bytes, traf.payload, traf.end).flatMap((box) => {
    if (box.type !== 'trun') return [bytesOfBox(bytes, box)]
    const { count: own, first, stride } = rowsIn(bytes, box)
    const rows = Math.min(left, own)
    left -= rows
    if (rows === 0) return []
    const run = Buffer.from(bytes.subarray(box.payload, first + rows * stride))
    run.writeUInt32BE(rows, 4)
    return [makeBox('trun', run)]
  })
  return makeBox('traf', ...children)
}

const knownBoxes: ReadonlySet<string> = new Set(['tfhd', 'tfdt', 'trun'])

/** Undefined if the traf can't be cut, as an unknown box may have rows for the dropped samples. */
const cutTraf = (bytes: Buffer, traf: Box, init: Init, end: number): Cut | undefined => {
  const read = readSamples(bytes, traf)
  const track = init.tracks.find(({ id }) => id === read?.id)
  if (read === undefined || track === undefined) return undefined
  if (boxesIn(bytes, traf.payload, traf.end).some(({ type }) => !knownBoxes.has(type))) return undefined
  const count = neededBefore(read, Math.round(end * track.timescale) + track.editStart)
  const [kept, dropped] = [read.samples.slice(0, count), read.samples.slice(count)]
  return { box: count === 0 ? undefined : shortened(bytes, traf, count), kept, dropped }
}

/**
 * A fragment without the samples that aren't needed before `end` (media time, seconds). Their bytes are dropped, or are
 * zeros if kept samples follow. The same fragment if no sample or all are dropped, or if ffmpeg didn't write it.
 */
const cutFragment = (bytes: Buffer, init: Init, end: number): Buffer => {
  const [moof, mdat] = boxesIn(bytes)
  if (moof === undefined || mdat === undefined || mdat.payload - mdat.start !== 8) return bytes
  const children = boxesIn(bytes, moof.payload, moof.end)
  const cuts = new Map(
    children.filter(({ type }) => type === 'traf').map((traf) => [traf, cutTraf(bytes, traf, init, end)]),
  )
  const all = [...cuts.values()]
  const [kept, dropped] = [all.flatMap((cut) => cut?.kept ?? []), all.flatMap((cut) => cut?.dropped ?? [])]
  const isWithin = ({ at, size }: Sample) => at >= mdat.payload && at + size <= mdat.end
  if (dropped.length === 0 || kept.length === 0 || all.includes(undefined)) return bytes
  if (![...kept, ...dropped].every(isWithin)) return bytes
  const boxes = children.flatMap((child) => {
    const cut = cuts.get(child)
    return cut === undefined ? [bytesOfBox(bytes, child)] : (cut.box ?? [])
  })
  const shrunkBy = moof.end - moof.payload - boxes.reduce((sum, box) => sum + box.length, 0)
  const dataEnd = kept.reduce((last, { at, size }) => Math.max(last, at + size), mdat.payload)
  const data = Buffer.from(bytes.subarray(mdat.payload, dataEnd))
  for (const { at, size } of dropped)
    data.fill(0, Math.min(at, dataEnd) - mdat.payload, Math.min(at + size, dataEnd) - mdat.payload)
  const isTraf = (box: Buffer) => box.toString('latin1', 4, 8) === 'traf'
  const moved = boxes.map((box) => (isTraf(box) ? withDataNearer(box, shrunkBy) : box))
  return Buffer.concat([makeBox('moof', ...moved), makeBox('mdat', data)])
}

/** The fragments of a segment that have pictures. `from`, `to`: where their bytes are. */
const fragmentsIn = (segment: Buffer, init: Init): (Fragment & { from: number; to: number })[] => {
  const boxes = boxesIn(segment)
  return boxes.flatMap((box, index) => {
    const data = boxes[index + 1]
    if (box.type !== 'moof' || data === undefined) return []
    const fragment = readFragment(segment.subarray(box.start, data.end), init)
    return fragment === undefined ? [] : [{ ...fragment, from: box.start, to: data.end }]
  })
}

/**
 * A segment up to `end` (media time, seconds): without the fragments that begin at `end` or later, and with only those
 * samples of the last fragment which are needed before `end`. With B-frames these may be a picture or two more.
 */
export const cutSegment = (segment: Buffer, init: Init, end: number): Buffer => {
  const fragments = fragmentsIn(segment, init)
  const after = fragments.findIndex(({ start }) => start >= end)
  const last = after === -1 ? fragments.at(-1) : fragments[after - 1]
  if (last === undefined) return segment.subarray(0, after === -1 ? segment.length : fragments[after]?.from)
  return Buffer.concat([segment.subarray(0, last.from), cutFragment(segment.subarray(last.from, last.to), init, end)])
}

/** No codec lets more pictures be decoded before one that is shown earlier. */
const maxReordered = 16

/** The beginning of a segment, which is enough to show the first picture at or after `at` (media time, seconds). */
export const beginningOf = (segment: Buffer, init: Init, at: number): Buffer => {
  let later = 0
  const last = fragmentsIn(segment, init).find(({ start, frames }) => {
    if (start > at) later += frames
    return later > maxReordered
  })
  return segment.subarray(0, last?.to)
}

/**
 * When the picture begins that is on screen at `at`, both in seconds of media time; undefined if none is shown yet.
 * Moments are whole milliseconds: a picture that begins within one is shown at it.
 */
export const onScreenSince = (segment: Buffer, init: Init, at: number): number | undefined => {
  let since: number | undefined
  for (const { track, decodeTime, samples } of samplesOf(segment, init)) {
    if (track.id !== init.video.id) continue
    let time = decodeTime
    for (const { duration, offset } of samples) {
      const shown = shownAt(track, time + offset)
      if (shown < at + 0.001 && shown > (since ?? -Infinity)) since = shown
      time += duration
    }
  }
  return since
}
