import type { RandomAccess } from '../../storage/chunk-storage.ts'
import { chunkFile, readAt } from '../../storage/folders.ts'
import { readChunk, type FoundChunk } from '../format/chunk-scan.ts'
import type { TableSegment } from '../format/chunk-table.ts'
import type { StreamArchive } from './repair-result.ts'
import { overlapMs } from '../format/segment.ts'
import { writeChunk, writeChunkFile, type NewChunk } from './write-chunk.ts'

type Range = { start: number; finish: number }
type Piece = Pick<NewChunk, 'segments' | 'contents'> & { isLater: boolean }

const overlaps = (a: Range, b: Range): boolean => a.start < b.finish - overlapMs && a.finish > b.start + overlapMs

/**
 * The segments that overlap no `taken` range, in pieces without a gap. Those that end after `until` (epoch ms) form
 * pieces of their own.
 */
const freePiecesOf = async (
  file: RandomAccess,
  segments: readonly TableSegment[],
  taken: readonly Range[],
  until: number,
): Promise<Piece[]> => {
  const pieces: { segments: TableSegment[]; contents: Buffer[]; isLater: boolean }[] = []
  let isContinued = false
  for (const segment of segments) {
    const isFree = !taken.some((range) => overlaps(segment, range))
    const isLater = segment.finish > until + overlapMs
    const last = pieces.at(-1)
    if (isFree) {
      const content = await readAt(file, segment.offset, segment.bytes)
      if (isContinued && last?.isLater === isLater) {
        last.segments.push(segment)
        last.contents.push(content)
      } else pieces.push({ segments: [segment], contents: [content], isLater })
    }
    isContinued = isFree
  }
  return pieces
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
  const read = await storage.withFile(uid, file, async (opened): Promise<[FoundChunk, Piece[]] | undefined> => {
    const found = await readChunk(opened, start)
    if (found === undefined) return undefined
    const taken = await index.takenWithin(uid, start, found.chunk.finish)
    return [found, await freePiecesOf(opened, found.segments, taken, until)]
  })
  if (read === undefined) return undefined
  const [{ chunk, run, segments }, pieces] = read
  const [first] = pieces
  if (first === undefined) return { added: 0, later: [] }
  if (first.segments.length === segments.length) {
    if (first.isLater) return { added: 0, later: [start] }
    await index.addChunk(uid, recording, { ...chunk, volume }, run)
    return { added: segments.length, later: [] }
  }
  const filled: Filled = { added: 0, later: [] }
  // The first piece may replace the file itself, so it is written last.
  for (const piece of pieces.toReversed()) {
    const { start: from } = piece.segments[0] ?? { start }
    if (piece.isLater) {
      index.inFlight.add(`${uid}/${chunkFile(from)}`)
      await writeChunkFile(archive, { ...piece, run, volume })
      filled.later.push(from)
    } else {
      await writeChunk(archive, { recording, run, volume, ...piece })
      filled.added += piece.segments.length
    }
  }
  if (first.segments[0]?.start !== start) await storage.remove(uid, [file])
  return filled
}
