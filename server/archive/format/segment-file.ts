import * as z from 'zod/mini'
import { boxAt, boxesIn } from '../../media/boxes.ts'
import { trackIdOfTraf } from '../../media/samples.ts'
import { hasOtherParameters, readFragment, readInit, type Fragment, type Init } from '../../media/fragments.ts'
import { Counts } from './chunk-file.ts'
import type { RandomAccess } from '../../storage/chunk-storage.ts'
import { readAt } from '../../storage/folders.ts'
import { minSegmentSeconds, type Segment } from './segment.ts'
import { parseJson } from '../../parse-json.ts'

/** The UUID of the box with facts in files of older versions; files of the first version have none. */
const factsBox = Buffer.from('5f8a3f3cf70b4d0b9cf92e4f7b0c1d6e', 'hex')

const FileFacts = z.object({
  run: z.string(),
  /** The segment was for live only. Named as in the files. */
  isPassing: z.boolean(),
  /** The counters after the only segment of a file that was recorded live; without them, each fragment is a segment. */
  numbers: z.optional(Counts),
})
type FileFacts = z.output<typeof FileFacts>

/** A `moof` with its `mdat`. `offset` and `end` in the file. */
type ScannedFragment = { offset: number; end: number; moof: Buffer }

export type ScannedFile = { init: Init | undefined; facts: FileFacts | undefined; fragments: ScannedFragment[] }

const maxHeadBoxBytes = 4 * 2 ** 20
const maxMoofBytes = 16 * 2 ** 20

const readFacts = (box: Buffer): FileFacts | undefined => parseJson(FileFacts, box.toString('utf8', 24))

/**
 * Reads the boxes of a chunk, a spool or a file of an older version from an offset on, without the media, up to the
 * first incomplete box.
 */
export const scanFile = async (file: RandomAccess, from = 0): Promise<ScannedFile> => {
  const { size: length } = await file.stat()
  const head: Buffer[] = []
  let facts: FileFacts | undefined
  const fragments: ScannedFragment[] = []
  let moof: { offset: number; bytes: Buffer } | undefined
  let at = from
  while (at + 8 <= length) {
    const header = await readAt(file, at, 8)
    const size = header.length < 8 ? 0 : header.readUInt32BE(0)
    if (size < 8 || at + size > length) break
    const type = header.toString('latin1', 4, 8)
    if (type === 'mdat' && moof !== undefined) {
      fragments.push({ offset: moof.offset, end: at + size, moof: moof.bytes })
      moof = undefined
    } else if (type === 'moof') {
      if (size > maxMoofBytes) break
      moof = { offset: at, bytes: await readAt(file, at, size) }
    } else if (fragments.length === 0 && size <= maxHeadBoxBytes) {
      const box = await readAt(file, at, size)
      if (type === 'uuid' && box.subarray(8, 24).equals(factsBox)) facts = readFacts(box)
      else head.push(box)
    }
    at += size
  }
  return { init: readInit(Buffer.concat(head)), facts, fragments }
}

const maxPictureBytes = 64 * 1024

/** The beginning of a fragment's first picture; undefined if it is missing, as on a disk that lost its last writes. */
const firstPicture = async (
  file: RandomAccess,
  { offset, end }: ScannedFragment,
  { picture }: Fragment,
): Promise<Buffer | undefined> => {
  const from = offset + picture.offset
  if (picture.offset < 0 || picture.length < 5 || from + picture.length > end) return undefined
  const bytes = await readAt(file, from, Math.min(picture.length, maxPictureBytes))
  const unit = bytes.length < 5 ? 0 : bytes.readUInt32BE(0)
  return unit > 0 && unit + 4 <= picture.length ? bytes : undefined
}

const joins = (open: { duration: number } | undefined, fragment: Fragment, facts: FileFacts | undefined): boolean => {
  if (open === undefined) return false
  if (facts !== undefined) return facts.numbers !== undefined
  return !fragment.isIndependent || open.duration < minSegmentSeconds
}

/** Undefined without a picture; `broken` if its numbers lead beyond its bytes. */
const fragmentOf = ({ moof }: ScannedFragment, init: Init): Fragment | 'broken' | undefined => {
  try {
    return readFragment(moof, init)
  } catch (error) {
    if (error instanceof RangeError) return 'broken'
    throw error
  }
}

/** Where a segment is in a file, and when it was recorded; units as in `Segment`. */
export type FoundSegment = Omit<Segment, 'run' | 'volume' | 'file'>

/** The segments of a scanned file. `start`: that of the first one, epoch milliseconds. */
export const segmentsIn = async (
  file: RandomAccess,
  { fragments, facts }: ScannedFile,
  init: Init,
  start: number,
): Promise<FoundSegment[]> => {
  const found: { offset: number; end: number; duration: number; mediaStart: number }[] = []
  let offset: number | undefined
  for (const scanned of fragments) {
    offset ??= scanned.offset
    const fragment = fragmentOf(scanned, init)
    if (fragment === 'broken') break
    // A fragment without pictures belongs to the next one with pictures.
    if (fragment === undefined) continue
    if ((await firstPicture(file, scanned, fragment)) === undefined || fragment.duration <= 0) break
    const open = found.at(-1)
    if (open !== undefined && joins(open, fragment, facts)) {
      open.duration += fragment.duration
      open.end = scanned.end
    } else if (fragment.isIndependent) {
      found.push({ offset, end: scanned.end, duration: fragment.duration, mediaStart: fragment.start })
    }
    offset = undefined
  }
  const [first] = found
  return found.map(({ offset: at, end, duration, mediaStart }) => {
    const from = start + Math.round((mediaStart - (first?.mediaStart ?? 0)) * 1000)
    return {
      start: from,
      finish: Math.round(from + duration * 1000),
      duration,
      mediaStart,
      bytes: end - at,
      offset: at,
    }
  })
}

const trackIds = (moof: Buffer): number[] => {
  const outer = boxAt(moof, 'moof')
  const boxes = outer === undefined ? [] : boxesIn(moof, outer.payload, outer.end)
  return boxes.filter(({ type }) => type === 'traf').map((traf) => trackIdOfTraf(moof, traf))
}

/** Whether the fragments of a file fit an init: the same tracks, and no other parameter sets in the first picture. */
export const fits = async (file: RandomAccess, { fragments }: ScannedFile, init: Init): Promise<boolean> => {
  const ids = new Set(fragments.flatMap(({ moof }) => trackIds(moof)))
  if (ids.size !== init.tracks.length || !init.tracks.every(({ id }) => ids.has(id))) return false
  for (const scanned of fragments) {
    const fragment = readFragment(scanned.moof, init)
    const picture = fragment === undefined ? undefined : await firstPicture(file, scanned, fragment)
    if (fragment === undefined || picture === undefined) continue
    return !hasOtherParameters({ ...fragment, bytes: picture, picture: { offset: 0, length: picture.length } }, init)
  }
  return false
}
