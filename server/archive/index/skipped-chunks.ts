import { hourMs, minuteMs } from '../../durations.ts'
import { OtherChunk, StorageAway } from '../../storage/chunk-storage.ts'
import { chunkFile } from '../../storage/folders.ts'
import type { StoredChunk } from './chunk-rows.ts'
import type { SegmentIndex } from './segment-index.ts'

/** `isConflict`: the bucket has another object of that name, so that the chunk isn't tried again before a restart. */
type Skipped = { chunk: StoredChunk; until: number; isConflict: boolean }

/** A disk that doesn't answer may do so soon; a file that can't be read waits for another attempt, or for a repair. */
const [hangMs, failureMs] = [5 * minuteMs, hourMs]

export const nameOfChunk = ({ uid, start }: Pick<StoredChunk, 'uid' | 'start'>): string => `${uid}/${chunkFile(start)}`

/** Chunks that are left out of handing in for a while, as an attempt has failed. */
export const createSkippedChunks = (index: Pick<SegmentIndex, 'chunksIn'>, now: () => number) => {
  const skipped = new Map<string, Skipped>()
  const isOnDisk = async ({ recording, start, volume }: StoredChunk): Promise<boolean> =>
    (await index.chunksIn(recording, start, start + 1)).some((row) => row.volume === volume)

  return {
    count: () => skipped.size,
    has: (chunk: StoredChunk): boolean => skipped.has(nameOfChunk(chunk)),
    /** `error`: of the attempt; `StorageAway` is that of the disk. */
    add: (chunk: StoredChunk, error: unknown): void => {
      const until = now() + (error instanceof StorageAway ? hangMs : failureMs)
      skipped.set(nameOfChunk(chunk), { chunk, until, isConflict: error instanceof OtherChunk })
    },
    /** Forgets those whose time has come. Once an hour, forgets conflicts of chunks that are no longer there. */
    refresh: async (): Promise<void> => {
      for (const [name, { chunk, until, isConflict }] of skipped) {
        if (until > now()) continue
        if (isConflict && (await isOnDisk(chunk))) skipped.set(name, { chunk, until: now() + hourMs, isConflict })
        else skipped.delete(name)
      }
    },
    /** The names of chunks whose name another object has. */
    conflicts: (): string[] => [...skipped].flatMap(([name, { isConflict }]) => (isConflict ? name : [])),
  }
}
