import { minuteMs } from '../durations.ts'

/** Compares each stream's rate over the last minute with a limit. `maxMbits`: Mbit/s, -1 without a limit. */
export type RateCap = {
  /** Counts a segment; true if `isOver` changed. */
  note: (uid: string, bytes: number) => boolean
  isOver: (uid: string) => boolean
  forget: (uid: string) => void
}

type Sent = { pieces: { at: number; bytes: number }[]; sum: number; wasOver: boolean }

export const createRateCap = (maxMbits: () => number, now: () => number): RateCap => {
  const sent = new Map<string, Sent>()

  const isOver = (uid: string): boolean => {
    const found = sent.get(uid)
    const most = maxMbits()
    if (found === undefined || most === -1) return false
    const from = now() - minuteMs
    let gone = 0
    while ((found.pieces[gone]?.at ?? Infinity) <= from) {
      found.sum -= found.pieces[gone]?.bytes ?? 0
      gone += 1
    }
    found.pieces.splice(0, gone)
    return found.sum * 8 * 1000 > most * 1e6 * minuteMs
  }

  return {
    isOver,
    note: (uid, bytes) => {
      const found = sent.get(uid) ?? { pieces: [], sum: 0, wasOver: false }
      sent.set(uid, found)
      found.pieces.push({ at: now(), bytes })
      found.sum += bytes
      const before = found.wasOver
      found.wasOver = isOver(uid)
      return found.wasOver !== before
    },
    forget: (uid) => {
      sent.delete(uid)
    },
  }
}
