import { access, open, rename, stat, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chunkHead, chunkTrailer, type Counts } from './chunk-file.ts'
import { packTable, type TableSegment } from './chunk-table.ts'
import {
  chunkFile,
  exists,
  journalFile,
  liveFile,
  makeFolder,
  spoolFile,
  syncFolder,
  ignoring,
  readAt,
  writeAt,
} from '../../storage/folders.ts'
import { journalLine } from './journal.ts'
import type { Run } from './run.ts'
import { targetDurationOf } from './segment.ts'
import { NoVolume, type WriteTarget } from '../../storage/write-target.ts'

/**
 * A sealed chunk for the index, as plain data. `start` and `finish` in epoch milliseconds; `bytes`: the size of the
 * file; `counts`: those after its last segment, if it was recorded live.
 */
export type Chunk = {
  start: number
  finish: number
  bytes: number
  table: Uint8Array
  volume: number
  counts?: Counts | undefined
}

/** The counters after the given segments, among which there is no discontinuity. */
export const countsAfter = (counts: Counts, segments: readonly TableSegment[]): Counts => ({
  nextSequence: counts.nextSequence + segments.length,
  nextDiscontinuity: counts.nextDiscontinuity,
  targetDuration: targetDurationOf(segments, counts.targetDuration),
})

export const finishOf = (segments: readonly TableSegment[]): number => Math.max(...segments.map(({ finish }) => finish))

type Sealing = {
  volume: number
  folder: string
  start: number
  timescale: number
  segments: readonly TableSegment[]
}

/**
 * Writes the table after the segments of a spool and gives the file its final name. The journal stays until the chunk
 * is indexed. Can be repeated if it fails.
 */
export const sealSpool = async ({ volume, folder, start, timescale, segments }: Sealing): Promise<Chunk> => {
  const path = join(folder, spoolFile(start))
  const target = join(folder, chunkFile(start))
  const last = segments.at(-1)
  if (last === undefined) throw new Error('The spool has no segments')
  const table = packTable(segments, timescale)
  const trailer = chunkTrailer(start, table)
  const end = last.offset + last.bytes
  const bytes = end + trailer.length
  const write = async (): Promise<void> => {
    const file = await open(path, 'r+')
    try {
      await file.truncate(end)
      await writeAt(file, trailer, end)
      await file.datasync()
    } finally {
      await file.close()
    }
    await makeFolder(dirname(target))
    if (await exists(target)) throw new Error('A chunk with this start exists')
    await rename(path, target)
  }
  // An earlier attempt may have failed only after the file had got its name.
  const isNamed = !(await exists(path)) && (await stat(target).catch(ignoring('ENOENT')))?.size === bytes
  if (!isNamed) await write()
  await syncFolder(dirname(target))
  return { start, finish: finishOf(segments), bytes, table, volume }
}

export type Spool = {
  start: number
  run: Run
  isKept: boolean
  volume: number
  /** File name in the stream's folder. */
  file: string
  segments: readonly TableSegment[]
  /** Appends a part; resolves to a function that reads it, which rejects once the file is closed. */
  append: (bytes: Uint8Array) => Promise<() => Promise<Buffer>>
  /** Makes the appended bytes a segment, which survives a power loss if the chunk is kept. */
  commit: (times: Pick<TableSegment, 'start' | 'finish' | 'duration' | 'mediaStart'>) => Promise<TableSegment>
  /** Discards what was appended since the last segment. */
  rollBack: () => void
  close: () => Promise<void>
  seal: () => Promise<Chunk>
  /** Deletes the file, which isn't needed any more. */
  discard: () => Promise<void>
}

type SpoolOptions = { target: WriteTarget; start: number; run: Run; isKept: boolean; counts: Counts }

const requireVolume = ({ marker }: WriteTarget): Promise<void> =>
  marker === undefined
    ? Promise.resolve()
    : access(marker).catch((error: unknown) => {
        throw new NoVolume('The volume is gone', { cause: error })
      })

/** Opens the file of the next chunk. A file that isn't kept is for live only, and doesn't have to survive a crash. */
export const openSpool = async ({ target, start, run, isKept, counts }: SpoolOptions): Promise<Spool> => {
  const { volume, folder } = target
  const name = isKept ? spoolFile(start) : liveFile(start)
  const path = join(folder, name)
  const segments: TableSegment[] = []
  const head = chunkHead(run, counts)
  let committedEnd = head.length
  let appendedEnd = committedEnd
  let journal: FileHandle | undefined
  let journalBytes = 0
  /** The names of spool and journal survive a power loss. */
  let areNamesSynced = false
  let isOpen = true

  await requireVolume(target)
  await makeFolder(folder)
  const file = await open(path, 'wx+', 0o600)
  try {
    await writeAt(file, head, 0)
  } catch (error) {
    await file.close()
    await unlink(path)
    throw error
  }

  const addToJournal = async (segment: TableSegment): Promise<void> => {
    journal ??= await open(join(folder, journalFile(start)), 'w', 0o600)
    const line = Buffer.from(journalLine(segment))
    await writeAt(journal, line, journalBytes)
    if (!areNamesSynced) await syncFolder(folder)
    areNamesSynced = true
    journalBytes += line.length
  }

  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    try {
      await file.close()
    } finally {
      await journal?.close()
    }
  }

  return {
    start,
    run,
    isKept,
    volume,
    file: name,
    segments,
    append: async (bytes) => {
      const [offset, { length }] = [appendedEnd, bytes]
      await writeAt(file, bytes, offset)
      appendedEnd += length
      return () => readAt(file, offset, length)
    },
    commit: async (times) => {
      const segment = { ...times, offset: committedEnd, bytes: appendedEnd - committedEnd }
      // The journal isn't synced: after a power loss, segments that it lacks are found by their boxes.
      if (isKept) {
        await file.datasync()
        await addToJournal(segment)
      }
      segments.push(segment)
      committedEnd = appendedEnd
      return segment
    },
    rollBack: () => {
      appendedEnd = committedEnd
    },
    close,
    seal: async () => {
      await close()
      const chunk = await sealSpool({ volume, folder, start, timescale: run.init.video.timescale, segments })
      return { ...chunk, counts: countsAfter(counts, segments) }
    },
    discard: async () => {
      await close()
      await unlink(path).catch(ignoring('ENOENT'))
      await unlink(join(folder, journalFile(start))).catch(ignoring('ENOENT'))
    },
  }
}
