/** A fragment: media time in seconds, arrival of its last byte in epoch milliseconds. */
export type Arrival = { start: number; duration: number; arrivedAt: number }

export type Placement = { start: number; newRun: boolean }

export type RunClock = {
  /** Starts a run: its base is the least (arrival − media end) of the first fragments. */
  begin: (first: readonly Arrival[]) => void
  setBack: () => void
  toWallClock: (arrival: Arrival) => Placement
  /** Registers a fragment of the same segment; false if it doesn't continue the last one. */
  follow: (arrival: Arrival) => boolean
  hasDrifted: () => boolean
}

/** A start this little before the floor is jitter and moves to the floor. */
export const floorSlackMs = 2000

const memoryMs = 30_000
const jumpMs = 500
/** A longer delay is the source's; a shorter one is a busy machine's, and the run continues. */
const lateMs = 1500
const slewMs = 2
/** More than a busy machine delays the start of ffmpeg. */
const driftMs = 8000

/**
 * Maps media time to the wall clock. Within a run the base follows the source's drift by at most 2 ms a fragment; a
 * jump ahead begins a new run. A start before `floor()`, the end of the last placed segment, moves to the floor; but
 * after a reconnect or a clock set back a run begins at the true time. `exactBase`: epoch milliseconds of media time 0,
 * if the source knows it (demo).
 */
export const createRunClock = (floor: () => number, exactBase?: number): RunClock => {
  let base = exactBase ?? 0
  let mediaEnd: number | undefined
  let isSetBack = false
  let seen: { arrivedAt: number; offset: number }[] = []

  const least = (): number => seen.reduce((found, each) => Math.min(found, each.offset), Infinity)
  const offsetOf = (each: Arrival): number => each.arrivedAt - (each.start + each.duration) * 1000
  const note = (each: Arrival): void => {
    seen = seen.filter((old) => Math.abs(each.arrivedAt - old.arrivedAt) < memoryMs)
    seen.push({ arrivedAt: each.arrivedAt, offset: offsetOf(each) })
  }
  const put = (each: Arrival, newRun: boolean, mayGoBack = false): Placement => {
    mediaEnd = each.start + each.duration
    const wanted = base + each.start * 1000
    const earliest = floor()
    if (mayGoBack && wanted < earliest - floorSlackMs) return { start: Math.round(wanted), newRun }
    if (newRun && wanted < earliest) base += earliest - wanted
    const start = base + each.start * 1000
    return { start: Math.round(start < earliest - slewMs - 1 ? earliest : start), newRun }
  }

  return {
    begin: (first) => {
      seen = []
      mediaEnd = undefined
      for (const each of first) note(each)
      base = exactBase ?? least()
    },
    setBack: () => {
      isSetBack = exactBase === undefined
    },
    toWallClock: (each) => {
      note(each)
      const wasSetBack = isSetBack
      isSetBack = false
      if (mediaEnd === undefined) return put(each, true, true)
      if (wasSetBack) {
        seen = seen.slice(-1)
        base = least()
        return put(each, true, true)
      }
      const isCut = Math.abs(each.start - mediaEnd) * 1000 > jumpMs
      if (isCut) {
        seen = seen.slice(-1)
        base = exactBase ?? least()
        return put(each, true)
      }
      if (exactBase !== undefined) return put(each, false)
      const drift = least() - base
      if (drift > lateMs) {
        base += drift
        return put(each, true)
      }
      base += drift < -jumpMs ? drift : Math.max(-slewMs, Math.min(slewMs, drift))
      return put(each, false)
    },
    follow: (each) => {
      if (mediaEnd === undefined || Math.abs(each.start - mediaEnd) * 1000 > jumpMs) return false
      note(each)
      mediaEnd = each.start + each.duration
      return true
    },
    hasDrifted: () => exactBase !== undefined && seen.length > 0 && Math.abs(least() - exactBase) > driftMs,
  }
}
