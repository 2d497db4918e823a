import * as z from 'zod/mini'
import type { Store } from '../../store/store.ts'
import { streamOf } from '../../streams/substream.ts'
import type { createChunkRows } from './chunk-rows.ts'
import type { createRecordings } from './recordings.ts'
import { overlapMs } from '../format/segment.ts'
import type { Chunk } from '../format/spool.ts'

/**
 * Why a chunk has no row: its recording is gone; another node has taken the stream since, at `since` if that is known;
 * or another chunk covers that time.
 */
export type ChunkRefusal = { kind: 'gone' } | { kind: 'late'; since: number } | { kind: 'taken' }

export class ChunkRefused extends Error {
  override name = 'ChunkRefused'
  readonly refusal: ChunkRefusal
  constructor(refusal: ChunkRefusal) {
    super(`The chunk was refused: ${refusal.kind}`)
    this.refusal = refusal
  }
}

const LeaseRow = z.object({ epoch: z.number(), since: z.number() })

/** A chunk that is to be added. `epoch`: of the lease that it was recorded under; undefined for repairs. */
type Incoming = { uid: string; recording: number; chunk: Pick<Chunk, 'start' | 'finish'>; epoch: number | undefined }

/**
 * Rejects with `ChunkRefused` if another node has the stream or has recorded that time. To be called in the transaction
 * that adds the row: only one node at a time is in a transaction.
 */
export type Fence = (incoming: Incoming) => Promise<void>

type Rows = {
  recordings: Pick<ReturnType<typeof createRecordings>, 'recording'>
  chunks: Pick<ReturnType<typeof createChunkRows>, 'isAnyWithin'>
}

export const createFence =
  (store: Store, { recordings, chunks }: Rows): Fence =>
  async ({ uid, recording, chunk: { start, finish }, epoch }) => {
    const known = await recordings.recording(uid)
    if (known?.recording !== recording) throw new ChunkRefused({ kind: 'gone' })
    const lease =
      epoch === undefined
        ? undefined
        : await store.get(LeaseRow, 'SELECT epoch, since FROM leases WHERE uid = ?', streamOf(uid))
    if (epoch !== undefined && lease !== undefined && lease.epoch !== epoch) {
      const since = lease.epoch === epoch + 1 ? lease.since : -Infinity
      if (finish > since + overlapMs) throw new ChunkRefused({ kind: 'late', since })
    }
    if (await chunks.isAnyWithin(known, start + overlapMs, finish - overlapMs)) {
      throw new ChunkRefused({ kind: 'taken' })
    }
  }
