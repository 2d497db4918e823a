import type { FastifyBaseLogger } from 'fastify'
import { rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isWriteError } from '../../store/disk-error.ts'
import { moveToLostAndFound } from '../../storage/lost-and-found.ts'
import { chunkFile, codeOf, exists, ignoring } from '../../storage/folders.ts'
import { writeChunk } from './write-chunk.ts'
import { readSegment } from '../playback/reading.ts'
import { removeStored, type RemovingVolumes } from '../index/removing.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import { chunkGapMs, maxChunkBytes, maxChunkMs, type Segment } from '../format/segment.ts'
import type { Volumes } from '../../storage/volumes.ts'
import { ownVolume } from '../../storage/volume-list.ts'

export type Repacking = {
  /** Converts recordings of older versions to chunks, newest first. Continues where it was interrupted. */
  run: (signal: AbortSignal) => Promise<void>
  /** The percentage of segments that are converted; undefined before and after. */
  donePercent: () => number | undefined
}

export type RepackingOptions = {
  index: SegmentIndex
  volumes: RemovingVolumes & Pick<Volumes, 'folder'>
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** A file couldn't be converted; without `file`, the rest of a recording wasn't. */
  onFailure: (uid: string, file: string | undefined, error: unknown) => void
}

/** The first and the last of these are warnings, as the default level hides all below. */
const converting = 'recordings of an older version are being converted'
const allConverted = 'all recordings of an older version are converted'
const someLeft = 'some recordings of an older version are not converted; the next start tries again'

const rowsAtOnce = 200
/** The pause after each chunk, as a multiple of the time that it took, so that recording has priority. */
const pauseFactor = 1
const minRestMs = 5
/** Pause before another attempt on a full disk. */
const fullDiskMs = 60_000

/** The newest segments that make one chunk, oldest first: of one run, without a gap, about a minute. */
const groupOf = (newestFirst: readonly Segment[]): Segment[] => {
  const group: Segment[] = []
  let bytes = 0
  for (const segment of newestFirst) {
    const [next, last] = [group[0], group.at(-1)]
    const isContinuing =
      next === undefined ||
      last === undefined ||
      (segment.run === next.run &&
        Math.abs(next.start - segment.finish) < chunkGapMs &&
        last.finish - segment.start <= maxChunkMs &&
        bytes + segment.bytes <= maxChunkBytes)
    if (!isContinuing) break
    group.unshift(segment)
    bytes += segment.bytes
  }
  return group
}

class Unreadable extends Error {
  readonly segment: Segment
  override readonly cause: unknown
  constructor(segment: Segment, cause: unknown) {
    super('The segment can not be read')
    this.segment = segment
    this.cause = cause
  }
}

export const createRepacking = ({ index, volumes, log, onFailure }: RepackingOptions): Repacking => {
  const { old } = index
  let total = 0
  let done = 0
  /** The tenths of the segments that are converted and logged. */
  let tenths = 0

  const storage = volumes.storage(ownVolume)

  const readAll = async (uid: string, group: readonly Segment[]): Promise<Buffer[]> => {
    const contents: Buffer[] = []
    for (const segment of group) {
      const bytes = await readSegment(storage, uid, segment).catch((error: unknown) => {
        throw new Unreadable(segment, error)
      })
      contents.push(bytes)
    }
    return contents
  }

  /** Deletes the files of converted segments, except those that other segments are in. */
  const removeFiles = async (recording: number, folder: string, group: readonly Segment[]): Promise<void> => {
    for (const file of new Set(group.map((segment) => segment.file))) {
      if (await old.isUsed(recording, file)) continue
      await unlink(join(folder, file)).catch(ignoring('ENOENT'))
      await rmdir(dirname(join(folder, file))).catch(ignoring('ENOENT', 'ENOTEMPTY'))
    }
  }

  const addDone = (count: number): void => {
    done += count
    const reached = Math.floor((done * 10) / total)
    if (reached > tenths && done < total) log.info({ donePercent: reached * 10 }, converting)
    tenths = reached
  }

  /** Converts the newest segments before a moment. Returns where to continue; undefined if nothing is left. */
  const convertNewest = async (uid: string, recording: number, before: number): Promise<number | undefined> => {
    const group = groupOf(await old.newestBefore(recording, before, rowsAtOnce))
    const [first] = group
    if (first === undefined) return undefined
    const folder = volumes.folder(ownVolume, uid)
    const run = await index.run(uid, first.run)
    if (run === undefined) throw new Unreadable(first, new Error('The run has no init'))
    const segments = group.map(({ start, finish, duration, mediaStart, bytes }) => ({
      start,
      finish,
      duration,
      mediaStart,
      bytes,
    }))
    const replaced = group.map(({ start }) => start)
    const contents = await readAll(uid, group)
    if (await writeChunk({ index, volumes, uid }, { recording, run, segments, contents, replaced })) {
      await removeFiles(recording, folder, group)
      addDone(group.length)
    } else {
      // Retention deleted one of the segments meanwhile.
      await unlink(join(folder, chunkFile(first.start))).catch(ignoring('ENOENT'))
    }
    return before
  }

  /** Removes a row without a file; moves a file that is shorter than in its row to lost+found. False: the row stays. */
  const giveUp = async (uid: string, recording: number, { segment, cause }: Unreadable): Promise<boolean> => {
    const folder = volumes.folder(ownVolume, uid)
    onFailure(uid, segment.file, cause)
    const isThere = await exists(join(folder, segment.file))
    if (isThere && codeOf(cause) !== undefined) return false
    await old.remove(recording, segment.start)
    if (isThere && !(await old.isUsed(recording, segment.file))) await moveToLostAndFound(folder, segment.file)
    return true
  }

  const convertRecording = async (uid: string, signal: AbortSignal): Promise<void> => {
    const recording = (await index.recording(uid))?.recording
    if (recording === undefined) return
    let before: number | undefined = Number.MAX_SAFE_INTEGER
    while (before !== undefined && !signal.aborted) {
      const startedAt = performance.now()
      let restMs = 0
      try {
        before = await convertNewest(uid, recording, before)
      } catch (error) {
        if (error instanceof Unreadable) {
          // Without that row the others of its group are converted next.
          if (!(await giveUp(uid, recording, error))) before = error.segment.start
        } else if (isWriteError(error)) {
          restMs = fullDiskMs
        } else {
          throw error
        }
      }
      restMs = Math.max(restMs, minRestMs, (performance.now() - startedAt) * pauseFactor)
      await pause(restMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Segments for live only are of no use any more. */
  const removeLiveOnly = async (signal: AbortSignal): Promise<void> => {
    let found = await old.liveOnly(rowsAtOnce)
    while (found.length > 0 && !signal.aborted) {
      await removeStored(index, volumes, found)
      found = await old.liveOnly(rowsAtOnce)
    }
  }

  return {
    donePercent: () => (total === 0 ? undefined : Math.min(99, Math.floor((done * 100) / total))),
    run: async (signal) => {
      if (!(await old.refresh())) return
      await removeLiveOnly(signal)
      total = await old.count()
      done = 0
      tenths = 0
      log.warn({ segments: total }, converting)
      for (const uid of await index.uids()) {
        // A failure in one recording doesn't affect the others; the next start retries it.
        await convertRecording(uid, signal).catch((error: unknown) => onFailure(uid, undefined, error))
      }
      if (!signal.aborted) total = 0
      const isAnyLeft = await old.refresh()
      if (!signal.aborted) log.warn(isAnyLeft ? someLeft : allConverted)
    },
  }
}
