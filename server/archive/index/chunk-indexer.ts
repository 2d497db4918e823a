import { monotonicNow } from '../../monotonic.ts'
import { StoreAway } from '../../store/connection.ts'
import { isDiskError, isStoreWriteError, isWriteError } from '../../store/disk-error.ts'
import { ChunkRefused, type ChunkRefusal } from './fence.ts'
import { dropJournal } from '../format/recover.ts'
import type { Run } from '../format/run.ts'
import type { SegmentIndex } from './segment-index.ts'
import type { Chunk } from '../format/spool.ts'
import { answered } from '../../storage/answered.ts'
import type { Volumes } from '../../storage/volumes.ts'

/** `epoch`: of the lease under which a node of a cluster has recorded it. */
export type SealedChunk = { uid: string; recording: number; chunk: Chunk; run: Run; epoch?: number | undefined }

export type ChunkIndexer = {
  add: (sealed: SealedChunk) => void
  /** Retries chunks that failed because the database was full or away. */
  retry: () => Promise<void>
  /** Whether a chunk waits or is being indexed. */
  isWaiting: (uid: string, start: number) => boolean
  /** Resolves when every chunk is indexed or waits for a retry. */
  settled: () => Promise<void>
}

type Options = {
  index: SegmentIndex
  volumes: Pick<Volumes, 'folder'>
  onIndexed: () => void
  /** Called with a chunk of a stream that another node has, or of a time that another node has recorded. */
  onRefused?: (sealed: SealedChunk, refusal: ChunkRefusal) => Promise<void>
  onFailure: (uid: string, error: unknown) => void
  now?: () => number
}

/** After the database took nothing, new chunks only wait for so long: each attempt would fail, and be logged. */
const pauseMs = 5000

/** Indexes sealed chunks one after another. Those that can't be indexed now wait for a retry; their files are safe. */
export const createChunkIndexer = (options: Options): ChunkIndexer => {
  const { index, volumes, onIndexed, onRefused, onFailure, now = monotonicNow } = options
  let pausedUntil = -Infinity
  let waiting: SealedChunk[] = []
  let adding: Promise<void> = Promise.resolve()
  const unfinished = new Set<string>()
  /** Chunks whose row may exist, as the insert failed without a certain end. */
  const mayBeIndexed = new WeakSet<SealedChunk>()
  const keyOf = (uid: string, start: number): string => `${uid} ${start}`

  const finish = async ({ uid, chunk }: SealedChunk): Promise<void> => {
    // A journal that stays is dropped by the next repair.
    await answered('unlink', dropJournal(volumes.folder(chunk.volume, uid), chunk.start)).catch((error: unknown) => {
      if (!isDiskError(error)) throw error
    })
    onIndexed()
  }

  const add = async (sealed: SealedChunk): Promise<void> => {
    const { uid, recording, chunk, run, epoch } = sealed
    try {
      await index.addChunk(uid, recording, chunk, run, [], epoch)
    } catch (error) {
      if (!(error instanceof ChunkRefused) || onRefused === undefined) throw error
      await onRefused(sealed, error.refusal)
      return
    }
    await finish(sealed)
  }

  const addAll = async (): Promise<void> => {
    const due = waiting
    waiting = []
    for (const [position, sealed] of due.entries()) {
      const { uid, recording, chunk } = sealed
      try {
        const isIndexed =
          mayBeIndexed.has(sealed) && (await index.chunksIn(recording, chunk.start, chunk.start + 1)).length > 0
        if (isIndexed) {
          index.dropUnindexed(uid, chunk.start)
          await finish(sealed)
        } else await add(sealed)
        unfinished.delete(keyOf(uid, chunk.start))
      } catch (error) {
        onFailure(uid, error)
        // The others would most likely fail, too. If the database answers, it may be this chunk alone: the others come
        // first next time.
        if (isStoreWriteError(error)) {
          mayBeIndexed.add(sealed)
          pausedUntil = now() + pauseMs
          const others = [...due.slice(position + 1), ...waiting]
          waiting = error instanceof StoreAway ? [sealed, ...others] : [...others, sealed]
          return
        }
        if (isWriteError(error)) waiting.push(sealed)
        else unfinished.delete(keyOf(uid, chunk.start))
      }
    }
  }
  const retry = (): Promise<void> => {
    adding = adding.then(addAll)
    return adding
  }

  return {
    add: (sealed) => {
      waiting.push(sealed)
      unfinished.add(keyOf(sealed.uid, sealed.chunk.start))
      if (now() >= pausedUntil) void retry()
    },
    retry,
    isWaiting: (uid, start) => unfinished.has(keyOf(uid, start)),
    settled: () => adding,
  }
}
