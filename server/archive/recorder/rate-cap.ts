import { minuteMs } from '../../durations.ts'
import { monotonicNow } from '../../monotonic.ts'

/** Compares what each stream sent in the last minute with a limit. `maxMbits` in Mbit/s, -1 without a limit. */
export type RateCap = {
  /** Counts a segment; true if `isOver` has changed. */
  add: (uid: string, bytes: number) => boolean
  isOver: (uid: string) => boolean
  /** Why a stream that is over the limit isn't recorded. */
  failureReason: () => string
  forget: (uid: string) => void
}

type Sent = { segments: { at: number; bytes: number }[]; wasOver: boolean }

export const createRateCap = (maxMbits: () => number, now = monotonicNow): RateCap => {
  const sent = new Map<string, Sent>()

  const isOver = (uid: string): boolean => {
    const found = sent.get(uid)
    if (found === undefined) return false
    found.segments = found.segments.filter(({ at }) => now() - at < minuteMs)
    const bytes = found.segments.reduce((sum, each) => sum + each.bytes, 0)
    return maxMbits() !== -1 && bytes * 8 * 1000 > maxMbits() * 1e6 * minuteMs
  }

  return {
    isOver,
    failureReason: () => `Not recorded: the bit rate exceeds ${maxMbits()} Mbit/s`,
    add: (uid, bytes) => {
      const found = sent.get(uid) ?? { segments: [], wasOver: false }
      sent.set(uid, found)
      found.segments.push({ at: now(), bytes })
      const before = found.wasOver
      found.wasOver = isOver(uid)
      return found.wasOver !== before
    },
    forget: (uid) => {
      sent.delete(uid)
    },
  }
}
