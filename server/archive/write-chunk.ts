import { join } from 'node:path'
import { chunkHead, chunkTrailer } from './chunk-file.ts'
import { packTable, type TableSegment } from './chunk-table.ts'
import { chunkFile, writeWhole } from '../storage/folders.ts'
import type { Run } from './run.ts'
import type { SegmentIndex } from './segment-index.ts'
import { finishOf } from './spool.ts'
import { ownVolume } from '../storage/volume-list.ts'
import type { Volumes } from '../storage/volumes.ts'

export type NewChunk = {
  recording: number
  run: Run
  segments: readonly Omit<TableSegment, 'offset'>[]
  /** The bytes of each segment. */
  parts: readonly Buffer[]
  /** By default the data folder's volume. */
  volume?: number
  /** Starts of segments of older versions that the chunk replaces. */
  replaced?: readonly number[]
}

/**
 * Writes a chunk that isn't recorded live, and then its row. False if a segment that it replaces no longer exists: then
 * there is no row, and the file is to be deleted.
 */
export const writeChunk = async (
  { index, volumes, uid }: { index: SegmentIndex; volumes: Pick<Volumes, 'folder'>; uid: string },
  { recording, run, segments, parts, volume = ownVolume, replaced = [] }: NewChunk,
): Promise<boolean> => {
  const [first] = segments
  if (first === undefined) return true
  const { start } = first
  const head = chunkHead(run)
  let at = head.length
  const placed = segments.map((segment) => {
    const offset = at
    at += segment.bytes
    return { ...segment, offset }
  })
  const table = packTable(placed, run.init.video.timescale)
  const trailer = chunkTrailer(start, table)
  const file = chunkFile(start)
  const name = `${uid}/${file}`
  // Else repair would take the file for one that a crash left.
  index.inFlight.add(name)
  try {
    await writeWhole(join(volumes.folder(volume, uid), file), [head, ...parts, trailer])
    const chunk = { start, finish: finishOf(placed), bytes: at + trailer.length, table, volume }
    return await index.addChunk(uid, recording, chunk, run, replaced)
  } finally {
    index.inFlight.delete(name)
  }
}
