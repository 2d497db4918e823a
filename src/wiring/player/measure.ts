import type { TimeRange } from '../../api/contract/time-range.ts'
import { noResponse, type Reply } from '../../api/reply.ts'
import { getArchiveStats, getRanges } from '../../api/resources/archive.ts'
import { rangeFactsOf } from '../../machines/player/range-facts.ts'
import type { Measured } from '../../machines/player/selection.machine.ts'
import { mergeChunks, intervalChunkOf, type Interval, type IntervalChunk } from '../../machines/timeline/intervals.ts'

export interface MeasureInput {
  uid: string
  from: number
  to: number
  chunkMs: number
}

const batchSize = 3
/** A range of more requests is first cut to the recorded time, as a link may have any marks. */
const fewChunks = 8
/** A year, at three hours a request. */
const maxChunks = 3000

const tooLong: Reply<never> = { ok: false, apiError: { ...noResponse, status: 400, code: 'TimeRangeIsTooLong' } }

/** The part of the range that may be recorded. */
async function partToFetch({ uid, from, to, chunkMs }: MeasureInput, signal: AbortSignal): Promise<Reply<TimeRange>> {
  const whole: Reply<TimeRange> = { ok: true, value: { from, to }, retryAfterSeconds: null }
  if (to - from <= fewChunks * chunkMs) return whole
  const stats = await getArchiveStats(uid, signal)
  if (!stats.ok) return stats
  const { startTime, endTime } = stats.value.period ?? { startTime: from, endTime: from }
  const part = { from: Math.max(from, startTime), to: Math.min(to, endTime) }
  return part.to - part.from > maxChunks * chunkMs ? tooLong : { ...whole, value: part }
}

/**
 * Fetches the recorded ranges of a range, in requests of at most `chunkMs`. TimeRangeIsTooLong if that takes more than
 * `maxChunks` requests.
 */
export async function fetchIntervals(
  input: Readonly<MeasureInput>,
  signal: AbortSignal,
): Promise<Reply<readonly Interval[]>> {
  const { uid, chunkMs } = input
  const reply = await partToFetch(input, signal)
  if (!reply.ok) return reply
  const part = reply.value
  const count = Math.max(0, Math.ceil((part.to - part.from) / chunkMs))
  const starts = Array.from({ length: count }, (_, index) => part.from + index * chunkMs)
  const chunks: IntervalChunk[] = []
  for (let index = 0; index < starts.length; index += batchSize) {
    const batch = starts.slice(index, index + batchSize)
    const replies = await Promise.all(
      batch.map((start) => getRanges(uid, { from: start, to: Math.min(part.to, start + chunkMs) }, signal)),
    )
    for (const ranges of replies) {
      if (!ranges.ok) return ranges
      chunks.push(intervalChunkOf(ranges.value))
    }
  }
  return { ok: true, value: mergeChunks(chunks), retryAfterSeconds: null }
}

/** Measures what of a range is recorded. */
export async function measureRange(input: Readonly<MeasureInput>, signal: AbortSignal): Promise<Measured> {
  const reply = await fetchIntervals(input, signal)
  return reply.ok ? { ...reply, value: rangeFactsOf(reply.value, input) } : reply
}
