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

  const isOver = (uid: string): boolean => {
    const found = sent.get(uid)
    const limit = maxMbits()
    if (found === undefined || limit === -1) return false
    const from = now() - minuteMs
    let expired = 0
    while ((found.segments[expired]?.at ?? Infinity) <= from) {
      found.bytes -= found.segments[expired]?.bytes ?? 0
      expired += 1
    }
    found.segments.splice(0, expired)
    return found.bytes * 8 * 1000 > limit * 1e6 * minuteMs
  }

  return {
    isOver,
    add: (uid, bytes) => {
      const found = sent.get(uid) ?? { segments: [], bytes: 0, wasOver: false }
      sent.set(uid, found)
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
