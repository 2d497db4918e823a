import type { RandomAccess } from '../../storage/chunk-storage.ts'
import { chunkFile, readAt } from '../../storage/folders.ts'
import { readChunk, type FoundChunk } from '../format/chunk-scan.ts'
import type { TableSegment } from '../format/chunk-table.ts'
import type { StreamArchive } from './repair-result.ts'
import { overlapMs } from '../format/segment.ts'
import { writeChunk, writeChunkFile, type NewChunk } from './write-chunk.ts'

type SegmentTimes = Pick<TableSegment, 'start' | 'finish'>
type FreeChunk = Pick<NewChunk, 'segments' | 'contents'> & { isLater: boolean }

const overlaps = (a: SegmentTimes, b: SegmentTimes): boolean =>
  a.start < b.finish - overlapMs && a.finish > b.start + overlapMs

/**
 * The segments that overlap no `taken` range, as chunks without a gap. Those that end after `until` (epoch ms) form
 * chunks of their own.
 */
const freeChunksOf = async (
  file: RandomAccess,
  segments: readonly TableSegment[],
  taken: readonly SegmentTimes[],
  until: number,
): Promise<FreeChunk[]> => {
  const chunks: { segments: TableSegment[]; contents: Buffer[]; isLater: boolean }[] = []
  let isContinued = false
  for (const segment of segments) {
    const isFree = !taken.some((range) => overlaps(segment, range))
    const isLater = segment.finish > until + overlapMs
    const last = chunks.at(-1)
    if (isFree) {
      const content = await readAt(file, segment.offset, segment.bytes)
      if (isContinued && last?.isLater === isLater) {
        last.segments.push(segment)
        last.contents.push(content)
      } else chunks.push({ segments: [segment], contents: [content], isLater })
    }
    isContinued = isFree
  }
  return chunks
}

/** The number of indexed segments, and the starts of unindexed chunks with the free segments after `until`. */
export type Filled = { added: number; later: number[] }

type OwnArchive = Pick<StreamArchive, 'index' | 'uid'> & {
  volumes: Pick<StreamArchive['volumes'], 'folder' | 'storage'>
}
type ChunkKey = { volume: number; start: number }

/**
 * Indexes those segments of an unindexed chunk which overlap no indexed chunk and end by `until` (epoch ms). Later ones
 * become unindexed chunks of their own; those that overlap indexed chunks are deleted. If all do, the file stays as it
 * is. Undefined if it isn't a readable chunk.
 */
export const fillFreeTimes = async (
  archive: OwnArchive,
  recording: number,
  { volume, start }: ChunkKey,
  until = Infinity,
): Promise<Filled | undefined> => {
  const { index, uid, volumes } = archive
  const storage = volumes.storage(volume)
  const file = chunkFile(start)
  const read = await storage.withFile(uid, file, async (opened): Promise<[FoundChunk, FreeChunk[]] | undefined> => {
    const found = await readChunk(opened, start)
    if (found === undefined) return undefined
    const taken = await index.takenWithin(uid, start, found.chunk.finish)
    return [found, await freeChunksOf(opened, found.segments, taken, until)]
  })
  if (read === undefined) return undefined
  const [{ chunk, run, segments }, free] = read
  const [first] = free
  if (first === undefined) return { added: 0, later: [] }
  if (first.segments.length === segments.length) {
    if (first.isLater) return { added: 0, later: [start] }
    await index.addChunk(uid, recording, { ...chunk, volume }, run)
    return { added: segments.length, later: [] }
  }
  const filled: Filled = { added: 0, later: [] }
  // The first one may replace the file itself, so it is written last.
  for (const part of free.toReversed()) {
    const { start: from } = part.segments[0] ?? { start }
    if (part.isLater) {
      index.inFlight.add(`${uid}/${chunkFile(from)}`)
      await writeChunkFile(archive, { ...part, run, volume })
      filled.later.push(from)
    } else {
      await writeChunk(archive, { recording, run, volume, ...part })
      filled.added += part.segments.length
    }
  }
  if (first.segments[0]?.start !== start) await storage.remove(uid, [file])
  return filled
}
