import * as z from 'zod/mini'
import { requestDecodeError, unavailable, validationError } from '../http/api-error.ts'
import type { LiveWindow, Parted } from './live-window.ts'

const count = z.optional(z.string().check(z.regex(/^\d{1,15}$/)))

/** What a reload of a low-latency playlist waits for: a segment number and a part index (rfc8216bis §6.2.5.2). */
export const Reload = z.object({ _HLS_msn: count, _HLS_part: count })

type ReloadTarget = { segment: number; part: number | undefined }

const reloadTargetOf = ({ _HLS_msn, _HLS_part }: z.output<typeof Reload>): ReloadTarget | undefined => {
  if (_HLS_msn === undefined && _HLS_part !== undefined) throw validationError({ _HLS_msn: 'Required' })
  return _HLS_msn === undefined
    ? undefined
    : { segment: Number(_HLS_msn), part: _HLS_part === undefined ? undefined : Number(_HLS_part) }
}

const maxSegmentsAhead = 2
const maxSecondsAhead = 3

const isTooFar = ({ sequence, whole, making, partTarget }: Parted, { segment, part = 0 }: ReloadTarget): boolean => {
  const next = sequence + whole.length
  const parts = making?.parts.length ?? 0
  const last = parts === 0 ? next - 1 : next
  return (
    segment > last + maxSegmentsAhead || (segment >= next && part >= parts + Math.ceil(maxSecondsAhead / partTarget))
  )
}

const isThere = ({ sequence, whole, making }: Parted, { segment, part }: ReloadTarget): boolean => {
  const next = sequence + whole.length
  const parts = making?.parts.length ?? 0
  if (segment === next) return part !== undefined && part < parts
  // A part index past the end of a segment means the first part of the next one.
  const isPastEnd = segment === next - 1 && part !== undefined && part >= (whole.at(-1)?.parts.length ?? 0)
  return segment < next && (!isPastEnd || parts > 0)
}

/** Waits for what `query` names; undefined without parts. Throws 400 if too far ahead, 503 if `signal` aborts. */
export const partedOnce = async (
  live: LiveWindow,
  query: z.output<typeof Reload>,
  signal: AbortSignal,
): Promise<Parted | undefined> => {
  const wanted = reloadTargetOf(query)
  let parted = live.parted()
  if (parted === undefined || wanted === undefined) return parted
  if (isTooFar(parted, wanted)) throw requestDecodeError()
  while (parted !== undefined && !isThere(parted, wanted)) {
    if (!(await live.nextPart(signal))) throw unavailable(1)
    parted = live.parted()
  }
  return parted
}

/** A part not yet listed in a segment; waits for the next part. Undefined for an unknown number. */
export const openPart = async (
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
  while (found === undefined && live.parted()?.nextPart === number) {
    if (!(await live.nextPart(signal))) return undefined
    found = find()
  }
  return found
}
