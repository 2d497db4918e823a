import { join } from 'node:path'
import { chunkHead, chunkTrailer } from '../format/chunk-file.ts'
import { packTable, type TableSegment } from '../format/chunk-table.ts'
import { chunkFile, writeWhole } from '../../storage/folders.ts'
import type { Run } from '../format/run.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import { finishOf, type Chunk } from '../format/spool.ts'
import { ownVolume } from '../../storage/volume-list.ts'
import type { Volumes } from '../../storage/volumes.ts'

export type NewChunk = {
  recording: number
  run: Run
  segments: readonly Omit<TableSegment, 'offset'>[]
  /** The bytes of each segment. */
  contents: readonly Buffer[]
  /** By default the data folder's volume. */
  volume?: number
  /** The starts, in epoch milliseconds, of segments of older versions that the chunk replaces. */
  replaced?: readonly number[]
}

/** Writes the file of a chunk that isn't recorded live. */
export const writeChunkFile = async (
  { volumes, uid }: { volumes: Pick<Volumes, 'folder'>; uid: string },
  { run, segments, contents, volume = ownVolume }: Omit<NewChunk, 'recording' | 'replaced'>,
): Promise<Chunk> => {
  const start = segments[0]?.start ?? 0
  const head = chunkHead(run)
  let at = head.length
  const placed = segments.map((segment) => {
    const offset = at
    at += segment.bytes
    return { ...segment, offset }
  })
  const table = packTable(placed, run.init.video.timescale)
  const trailer = chunkTrailer(start, table)
  await writeWhole(join(volumes.folder(volume, uid), chunkFile(start)), [head, ...contents, trailer])
  return { start, finish: finishOf(placed), bytes: at + trailer.length, table, volume }
}

/**
 * Writes a chunk that isn't recorded live, and then its row. False if a segment that it replaces no longer exists: then
 * there is no row, and the file is to be deleted.
 */
export const writeChunk = async (
  archive: { index: SegmentIndex; volumes: Pick<Volumes, 'folder'>; uid: string },
  chunk: NewChunk,
): Promise<boolean> => {
  const { index, uid } = archive
  const [first] = chunk.segments
  if (first === undefined) return true
  const name = `${uid}/${chunkFile(first.start)}`
  // Otherwise a repair would take the file for one that a crash left.
  index.inFlight.add(name)
  try {
    const written = await writeChunkFile(archive, chunk)
    return await index.addChunk(uid, chunk.recording, written, chunk.run, chunk.replaced)
  } finally {
    index.inFlight.delete(name)
  }
}
