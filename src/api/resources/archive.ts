import type { TimeRange } from '../contract/time-range.ts'
import { Annotations, ArchiveRanges, type PeriodRanges, ArchiveStats, AvailableDays } from '../contract/archive.ts'
import { iso } from './instant.ts'
import { mapReply } from '../map-reply.ts'
import type { Reply } from '../reply.ts'
import { call, callForBlob, pathSegment, urlOf } from '../call.ts'

const archive = (uid: string, resource: string) => `/v1/stream/${pathSegment(uid)}/archive/${resource}`
const startAndEnd = ({ from, to }: TimeRange) => ({ start_time: iso(from), end_time: iso(to) })

/** Recorded fragments and gaps. TimeRangeIsTooLong beyond `rangesMaxSeconds`, 403 without `canViewArchive`. */
export async function getRanges(uid: string, range: TimeRange, signal: AbortSignal): Promise<Reply<PeriodRanges>> {
  const reply = await call(ArchiveRanges, { path: archive(uid, 'ranges'), query: startAndEnd(range), signal })
  return mapReply(reply, ({ period, ranges }) => ({
    period: period ?? { startTime: range.from, endTime: range.to },
    ranges,
  }))
}

export const getArchiveStats = (uid: string, signal: AbortSignal) =>
  call(ArchiveStats, { path: archive(uid, 'stats'), signal })

export const getAvailableDays = (uid: string, range: TimeRange, timezone: string, signal: AbortSignal) =>
  call(AvailableDays, { path: archive(uid, 'available-days'), query: { ...startAndEnd(range), timezone }, signal })

export const getAnnotations = (streamId: string, { from, to }: TimeRange, signal: AbortSignal) =>
  call(Annotations, { path: '/v1/annotations', query: { streamId, from: iso(from), to: iso(to) }, signal })

/** A JPEG of the archive at a moment in epoch milliseconds. Timeout: 60 s (docs/behaviour.md §15). */
export const getPreviewAt = (uid: string, at: number, signal: AbortSignal) =>
  callForBlob({
    path: '/v1/stream/preview',
    query: { stream_id: uid, time: iso(at) },
    signal,
  })

/** The URL of an MP4 of the range. `offsetMinutes`, east of UTC: the server names the file by that local time. */
export const downloadUrl = (uid: string, range: TimeRange, offsetMinutes: number): string =>
  urlOf(archive(uid, 'download'), { ...startAndEnd(range), timezone_offset: offsetMinutes })
