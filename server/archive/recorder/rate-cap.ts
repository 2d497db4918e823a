import { minuteMs } from '../../durations.ts'

/** Compares what each stream sent in the last minute with a limit. `maxMbits` in Mbit/s, -1 without a limit. */
export type RateCap = {
  /** Counts a segment; true if `isOver` has changed. */
  add: (uid: string, bytes: number) => boolean
  isOver: (uid: string) => boolean
  forget: (uid: string) => void
}

type Sent = { segments: { at: number; bytes: number }[]; bytes: number; wasOver: boolean }

export const createRateCap = (maxMbits: () => number, now: () => number): RateCap => {
  const sent = new Map<string, Sent>()

  /** Drops what is older than a minute, and all of it once the clock was set back. */
  const dropOld = (found: Sent): void => {
    const time = now()
    const isSetBack = (found.segments.at(-1)?.at ?? 0) > time
    const kept = isSetBack ? -1 : found.segments.findIndex(({ at }) => at > time - minuteMs)
    const dropped = found.segments.splice(0, kept === -1 ? found.segments.length : kept)
    for (const { bytes } of dropped) found.bytes -= bytes
  }

  const isOver = (uid: string): boolean => {
    const found = sent.get(uid)
    const limit = maxMbits()
    if (found === undefined || limit === -1) return false
    dropOld(found)
    return found.bytes * 8 * 1000 > limit * 1e6 * minuteMs
  }

  return {
    isOver,
    add: (uid, bytes) => {
      const found = sent.get(uid) ?? { segments: [], bytes: 0, wasOver: false }
      sent.set(uid, found)
      dropOld(found)
      found.segments.push({ at: now(), bytes })
      found.bytes += bytes
      const before = found.wasOver
      found.wasOver = isOver(uid)
      return found.wasOver !== before
    },
    forget: (uid) => {
      sent.delete(uid)
    },
  }
}
