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

/** Neighbours that are free, in pieces; a piece is either before `until` or later. */
const piecesOf = async (
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

/** What was added, in segments; and the starts of the chunks that hold what is later than `until`. */
export type Filled = { added: number; later: number[] }

type OwnArchive = Pick<StreamArchive, 'index' | 'uid'> & {
  volumes: Pick<StreamArchive['volumes'], 'folder' | 'storage'>
}
type ChunkKey = { volume: number; start: number }

/**
 * Adds what a chunk without a row has of times that nobody else recorded, up to `until`; the rest of these becomes
 * chunks of its own, without rows. What others recorded too is removed. If nothing is free, the file stays as it is.
 */
export const fillFreeTimes = async (
  archive: OwnArchive,
  recording: number,
  { volume, start }: ChunkKey,
  until = Infinity,
): Promise<Filled> => {
  const { index, uid, volumes } = archive
  const storage = volumes.storage(volume)
  const file = chunkFile(start)
  const read = await storage.withFile(uid, file, async (opened): Promise<[FoundChunk, Piece[]] | undefined> => {
    const found = await readChunk(opened, start)
    if (found === undefined) return undefined
    const taken = await index.takenWithin(uid, start, found.chunk.finish)
    return [found, await piecesOf(opened, found.segments, taken, until)]
  })
  if (read === undefined) return { added: 0, later: [] }
  const [{ chunk, run, segments }, pieces] = read
  const [first] = pieces
  if (first === undefined) return { added: 0, later: [] }
  if (first.segments.length === segments.length) {
    if (first.isLater) return { added: 0, later: [start] }
    await index.addChunk(uid, recording, { ...chunk, volume }, run)
    return { added: segments.length, later: [] }
  }
  const filled: Filled = { added: 0, later: [] }
  // The first piece may have the name of the whole: the others are written before.
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
