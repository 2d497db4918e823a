import { minuteMs } from '../../durations.ts'
import { isWriteError } from '../../store/disk-error.ts'
import { chunkFile } from '../../storage/folders.ts'
import type { Volumes } from '../../storage/volumes.ts'
import type { SealedChunk } from '../index/chunk-indexer.ts'
import { ChunkRefused, type Refusal } from '../index/fence.ts'
import { fillFreeTimes } from './free-times.ts'
import { dropJournal } from '../format/recover.ts'
import type { SegmentIndex } from '../index/segment-index.ts'

/** By then what the holder of the stream has recorded of that time has its rows. */
const waitMs = 3 * minuteMs

type Late = Pick<SealedChunk, 'uid' | 'recording'> & { volume: number; start: number; dueAt: number }

type Options = {
  index: SegmentIndex
  volumes: Pick<Volumes, 'folder' | 'storage'>
  now: () => number
  onIndexed: () => void
  onFailure: (uid: string, error: unknown) => void
}

/** Chunks that were recorded while another node had the stream: they fill what nobody recorded, and wait until then. */
export const createLateChunks = ({ index, volumes, now, onIndexed, onFailure }: Options) => {
  let waiting: Late[] = []
  const nameOf = ({ uid, start }: Pick<Late, 'uid' | 'start'>): string => `${uid}/${chunkFile(start)}`

  const forget = async ({ uid, volume, start }: Omit<Late, 'dueAt'>): Promise<void> => {
    index.inFlight.delete(nameOf({ uid, start }))
    await dropJournal(volumes.folder(volume, uid), start)
  }
  const remove = async (late: Omit<Late, 'dueAt'>): Promise<void> => {
    await volumes.storage(late.volume).remove(late.uid, [chunkFile(late.start)])
    await forget(late)
  }

  /** A recording that is gone takes nothing. */
  const fillOrGone: typeof fillFreeTimes = (...given) =>
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
      return forget(late)
    }
    const { added, later } = await fillOrGone({ index, volumes, uid }, recording, { volume, start }, until)
    waiting.push(...later.map((from) => ({ ...late, start: from, dueAt: now() + waitMs })))
    if (later.includes(start)) return
    if (added > 0) onIndexed()
    return added > 0 || later.length > 0 ? forget(late) : remove(late)
  }

  return {
    /** Rejects if the database is away: the chunk is still to be added. */
    refuse: async ({ uid, recording, chunk: { start, volume } }: SealedChunk, refusal: Refusal): Promise<void> => {
      const late = { uid, recording, volume, start }
      index.inFlight.add(nameOf(late))
      index.dropUnindexed(uid, start)
      if (refusal.kind === 'gone') await remove(late)
      else if (refusal.kind === 'taken') await fill(late)
      else if (refusal.since > start) await fill(late, refusal.since)
      else waiting.push({ ...late, dueAt: now() + waitMs })
    },
    isWaiting: (uid: string, start: number): boolean =>
      waiting.some((each) => each.uid === uid && each.start === start),
    /** Adds those that have waited. One that can't be read is left to the repair of the next start. */
    retry: async (): Promise<void> => {
      const due = waiting.filter(({ dueAt }) => dueAt <= now())
      for (const late of due) {
        try {
          await fill(late)
        } catch (error) {
          onFailure(late.uid, error)
          if (isWriteError(error)) return
          if (error instanceof ChunkRefused) continue
        }
        waiting = waiting.filter((each) => each !== late)
      }
    },
  }
}
