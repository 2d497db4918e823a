import { minuteMs } from '../../durations.ts'
import { monotonicNow } from '../../monotonic.ts'
import { StoreAway } from '../../store/connection.ts'
import { isWriteError } from '../../store/disk-error.ts'
import { chunkFile } from '../../storage/folders.ts'
import type { Volumes } from '../../storage/volumes.ts'
import type { SealedChunk } from '../index/chunk-indexer.ts'
import { ChunkRefused, type ChunkRefusal } from '../index/fence.ts'
import { fillFreeTimes } from './free-times.ts'
import { dropJournal } from '../format/recover.ts'
import type { LateTimes } from './repair-result.ts'
import type { SegmentIndex } from '../index/segment-index.ts'

/** After this time the chunks that the holder of the stream recorded meanwhile are indexed. */
const waitMs = 3 * minuteMs

/** A chunk by its volume and start, which is to be indexed at `dueAt` (by `now`). */
type Late = Pick<SealedChunk, 'uid' | 'recording'> & { volume: number; start: number; dueAt: number }

type Options = {
  index: SegmentIndex
  volumes: Pick<Volumes, 'folder' | 'storage'>
  now?: () => number
  onIndexed: () => void
  onFailure: (uid: string, error: unknown) => void
}

/**
 * Chunks that this node recorded while another one held the stream. They are indexed where the archive has gaps, some
 * minutes later, when it is known where these are.
 */
export const createLateChunks = ({ index, volumes, now = monotonicNow, onIndexed, onFailure }: Options) => {
  let waiting: Late[] = []
  const nameOf = ({ uid, start }: Pick<Late, 'uid' | 'start'>): string => `${uid}/${chunkFile(start)}`

  const dropMarks = async ({ uid, volume, start }: Omit<Late, 'dueAt'>): Promise<void> => {
    index.inFlight.delete(nameOf({ uid, start }))
    await dropJournal(volumes.folder(volume, uid), start)
  }
  const remove = async (late: Omit<Late, 'dueAt'>): Promise<void> => {
    await volumes.storage(late.volume).remove(late.uid, [chunkFile(late.start)])
    await dropMarks(late)
  }

  /** Adds nothing if the recording is deleted. */
  const fillIfRecorded: typeof fillFreeTimes = (...given) =>
    fillFreeTimes(...given).catch((error: unknown) => {
      if (error instanceof ChunkRefused && error.refusal.kind === 'gone') return { added: 0, later: [] }
      throw error
    })

  /** Whether the file is that of a row: the answer to an earlier attempt was lost. */
  const isIndexed = async ({ recording, volume, start }: Omit<Late, 'dueAt'>): Promise<boolean> =>
    (await index.chunksIn(recording, start, start + 1)).some((row) => row.volume === volume)

  const fill = async (late: Omit<Late, 'dueAt'>, until?: number): Promise<void> => {
    const { uid, recording, volume, start } = late
    if (await isIndexed(late)) {
      onIndexed()
      return dropMarks(late)
    }
    const filled = await fillIfRecorded({ index, volumes, uid }, recording, { volume, start }, until)
    if (filled === undefined) {
      const file = chunkFile(start)
      await volumes.storage(volume).moveToLostAndFound(uid, file)
      await dropMarks(late)
      return onFailure(uid, new Error(`${file} can't be read: it was moved to lost+found`))
    }
    const { added, later } = filled
    waiting.push(...later.map((from) => ({ ...late, start: from, dueAt: now() + waitMs })))
    if (later.includes(start)) return
    if (added > 0) onIndexed()
    return added > 0 || later.length > 0 ? dropMarks(late) : remove(late)
  }

  const add = (late: Omit<Late, 'dueAt'>): void => {
    index.inFlight.add(nameOf(late))
    waiting.push({ ...late, dueAt: now() + waitMs })
  }

  return {
    /**
     * For the repair of a stream that other nodes may have had since `takenAt`, if any has it. What ended long before
     * `wallNow` needn't wait: the other nodes have indexed their chunks by then.
     */
    lateTimes: (uid: string, takenAt: number | undefined, wallNow: number): LateTimes => ({
      from: takenAt === undefined ? Infinity : Math.max(takenAt, wallNow - waitMs),
      add: (late) => add({ ...late, uid }),
    }),
    /** Handles a chunk that the index refused. Rejects if the database is away; the call is to be repeated then. */
    refuse: async ({ uid, recording, chunk: { start, volume } }: SealedChunk, refusal: ChunkRefusal): Promise<void> => {
      const late = { uid, recording, volume, start }
      index.inFlight.add(nameOf(late))
      index.dropUnindexed(uid, start)
      if (refusal.kind === 'gone') await remove(late)
      else if (refusal.kind === 'taken') await fill(late)
      else if (refusal.since > start) await fill(late, refusal.since)
      else add(late)
    },
    isWaiting: (uid: string, start: number): boolean =>
      waiting.some((each) => each.uid === uid && each.start === start),
    /**
     * Indexes the chunks that have waited long enough. One on a failing disk is tried again; one that can't be read for
     * another reason is left to the next repair.
     */
    retry: async (): Promise<void> => {
      for (const late of waiting.filter(({ dueAt }) => dueAt <= now())) {
        try {
          await fill(late)
        } catch (error) {
          onFailure(late.uid, error)
          if (error instanceof StoreAway) return
          // It is tried again; the others may be on another disk.
          if (isWriteError(error) || error instanceof ChunkRefused) continue
          index.inFlight.delete(nameOf(late))
        }
        waiting = waiting.filter((each) => each !== late)
      }
    },
  }
}
