import { fromPromise } from 'xstate'
import { getRanges } from '../../api/resources/archive.ts'
import { factsOf } from '../../machines/player/facts.ts'
import type { Measured } from '../../machines/player/selection.machine.ts'
import { mergeChunks, intervalChunkOf, type IntervalChunk } from '../../machines/timeline/intervals.ts'

interface MeasureInput {
  uid: string
  from: number
  to: number
  chunkMs: number
}

const batchSize = 3

/** Fetches the recorded ranges of a range, in requests of at most `chunkMs`, and measures what is recorded. */
export async function measureRange(
  { uid, from, to, chunkMs }: Readonly<MeasureInput>,
  signal: AbortSignal,
): Promise<Measured> {
  const starts = Array.from({ length: Math.ceil((to - from) / chunkMs) }, (_, index) => from + index * chunkMs)
  const chunks: IntervalChunk[] = []
  for (let index = 0; index < starts.length; index += batchSize) {
    const batch = starts.slice(index, index + batchSize)
    const replies = await Promise.all(
      batch.map((start) => getRanges(uid, { from: start, to: Math.min(to, start + chunkMs) }, signal)),
    )
    for (const reply of replies) {
      if (!reply.ok) return reply
      chunks.push(intervalChunkOf(reply.value))
    }
  }
  return { ok: true, value: factsOf(mergeChunks(chunks), { from, to }), retryAfterSeconds: null }
}

export const measure = fromPromise<Measured, MeasureInput>(({ input, signal }) => measureRange(input, signal))
