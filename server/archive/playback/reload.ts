import * as z from 'zod/mini'
import { requestDecodeError, unavailable, validationError } from '../../http/api-error.ts'
import type { LiveWindow, LowLatencyWindow } from '../recorder/live-window.ts'

const digits = z.optional(z.string().check(z.regex(/^\d{1,15}$/)))

/** What a reload of a low-latency playlist waits for: a segment number and a part index (rfc8216bis §6.2.5.2). */
export const Reload = z.object({ _HLS_msn: digits, _HLS_part: digits })

type ReloadTarget = { segment: number; part: number | undefined }

const reloadTargetOf = ({ _HLS_msn, _HLS_part }: z.output<typeof Reload>): ReloadTarget | undefined => {
  if (_HLS_msn === undefined && _HLS_part !== undefined) throw validationError({ _HLS_msn: 'Required' })
  return _HLS_msn === undefined
    ? undefined
    : { segment: Number(_HLS_msn), part: _HLS_part === undefined ? undefined : Number(_HLS_part) }
}

/** A reload may not name a segment or part that is further ahead. */
const maxSegmentsAhead = 2
const maxSecondsAhead = 3

const isTooFar = (
  { sequence, whole, growing, partTarget }: LowLatencyWindow,
  { segment, part = 0 }: ReloadTarget,
): boolean => {
  const next = sequence + whole.length
  const parts = growing?.parts.length ?? 0
  const last = parts === 0 ? next - 1 : next
  return (
    segment > last + maxSegmentsAhead || (segment >= next && part >= parts + Math.ceil(maxSecondsAhead / partTarget))
  )
}

const isListed = ({ sequence, whole, growing }: LowLatencyWindow, { segment, part }: ReloadTarget): boolean => {
  const next = sequence + whole.length
  const parts = growing?.parts.length ?? 0
  if (segment === next) return part !== undefined && part < parts
  // A part index past the end of a segment means the first part of the next one.
  const isPastEnd = segment === next - 1 && part !== undefined && part >= (whole.at(-1)?.parts.length ?? 0)
  return segment < next && (!isPastEnd || parts > 0)
}

/**
 * The low-latency window, once it has the segment or part that `query` names; undefined without parts. Throws 400 if
 * that is too far ahead, 503 if `signal` aborts first.
 */
export const awaitReload = async (
  live: LiveWindow,
  query: z.output<typeof Reload>,
  signal: AbortSignal,
): Promise<LowLatencyWindow | undefined> => {
  const target = reloadTargetOf(query)
  let window = live.lowLatency()
  if (window === undefined || target === undefined) return window
  if (isTooFar(window, target)) throw requestDecodeError()
  while (window !== undefined && !isListed(window, target)) {
    if (!(await live.waitForPart(signal))) throw unavailable(1)
    window = live.lowLatency()
  }
  return window
}

/** Whole segments of more seconds than this would be shown more than 3 s late. */
const maxUnpartedSeconds = 1.5

/** The low-latency window for reloads that don't wait: only where whole segments are too long. */
export const polledWindow = (live: LiveWindow): LowLatencyWindow | undefined =>
  live.longestSegment() > maxUnpartedSeconds ? live.lowLatency() : undefined

/** A part of a segment that isn't listed yet, waiting for it if it is the next one; undefined for another number. */
export const awaitPart = async (
  live: LiveWindow,
  number: number,
  signal: AbortSignal,
): Promise<{ bytes: number; read: () => Promise<Buffer | undefined> } | undefined> => {
  const find = () => {
    for (const { parts, read } of live.opened()) {
      const index = parts.findIndex((part) => part.number === number)
      const part = parts[index]
      if (part !== undefined) return { bytes: part.bytes, read: () => read(index) }
    }
    return undefined
  }
  let found = find()
  while (found === undefined && live.lowLatency()?.nextPart === number) {
    if (!(await live.waitForPart(signal))) return undefined
    found = find()
  }
  return found
}
