/** A fragment: media time in seconds, arrival of its last byte in epoch milliseconds. */
export type Arrival = { start: number; duration: number; arrivedAt: number }

/** `start` in epoch milliseconds. */
type Placement = { start: number; isNewRun: boolean }

export type RunClock = {
  /** Starts a run: its base is the least offset (arrival − media end) of the first fragments. */
  begin: (first: readonly Arrival[]) => void
  /** The clock was set back or corrected: the next segment begins a run at the true time. */
  rebase: () => void
  /** The start of a segment that begins with this fragment. */
  toWallClock: (arrival: Arrival) => Placement
  /** Registers a fragment of the same segment; false if it doesn't continue the last one. */
  follow: (arrival: Arrival) => boolean
  /** The arrivals don't fit `exactBase` any more. */
  hasDrifted: () => boolean
}

/** A start that is earlier than the floor by at most this is jitter: it moves to the floor. */
export const floorSlackMs = 2000

/** The base follows the arrivals of this last period. */
const memoryMs = 30_000
/** A larger distance in media time is a jump of the source. */
const jumpMs = 500
/** A longer delay comes from the source and begins a run; a shorter one comes from a busy machine. */
const lateMs = 1500
/** How far the base moves at most for one segment. */
const slewMs = 2
/** Arrivals that differ by more from `exactBase` don't fit it; a busy machine delays ffmpeg by less. */
const driftMs = 8000

/**
 * Maps media time to the wall clock. Within a run the base, the moment of media time 0, follows the source's drift by
 * at most 2 ms a segment; a jump begins a new run. A start before `floor()`, the end of the last stamped segment, moves
 * to the floor; but a run begins at the true time after a reconnect, after the clock was set back or corrected, and
 * once starts have come to lie two seconds ahead of their true times, as a stall of the source or small steps of the
 * clock add up.
 * `exactBase`: the base in epoch milliseconds, if the source knows it (demo).
 */
export const createRunClock = (floor: () => number, exactBase?: number): RunClock => {
  let base = exactBase ?? 0
  /** The media time at which the last fragment ends, seconds. */
  let mediaEnd: number | undefined
  let isRebased = false
  let arrivals: { arrivedAt: number; offset: number }[] = []

  const leastOffset = (): number => arrivals.reduce((found, each) => Math.min(found, each.offset), Infinity)
  const offsetOf = (each: Arrival): number => each.arrivedAt - (each.start + each.duration) * 1000
  const remember = (each: Arrival): void => {
    arrivals = arrivals.filter((old) => Math.abs(each.arrivedAt - old.arrivedAt) < memoryMs)
    arrivals.push({ arrivedAt: each.arrivedAt, offset: offsetOf(each) })
  }
  const stamp = (each: Arrival, isNewRun: boolean, mayGoBack = false): Placement => {
    mediaEnd = each.start + each.duration
    const trueStart = base + each.start * 1000
    const earliest = floor()
    if (mayGoBack && trueStart < earliest - floorSlackMs) return { start: Math.round(trueStart), isNewRun }
    if (isNewRun && trueStart < earliest) base += earliest - trueStart
    const start = base + each.start * 1000
    return { start: Math.round(start < earliest - slewMs - 1 ? earliest : start), isNewRun }
  }

  return {
    begin: (first) => {
      arrivals = []
      mediaEnd = undefined
      for (const each of first) remember(each)
      base = exactBase ?? leastOffset()
    },
    rebase: () => {
      isRebased = exactBase === undefined
      arrivals = []
    },
    toWallClock: (each) => {
      remember(each)
      const mayGoBack = isRebased
      isRebased = false
      if (mediaEnd === undefined) return stamp(each, true, true)
      const hasJumped = Math.abs(each.start - mediaEnd) * 1000 > jumpMs
      if (hasJumped) arrivals = arrivals.slice(-1)
      if (hasJumped || mayGoBack) {
        base = exactBase ?? leastOffset()
        return stamp(each, true, mayGoBack)
      }
      if (exactBase !== undefined) return stamp(each, false)
      const drift = leastOffset() - base
      if (drift > lateMs) {
        base += drift
        return stamp(each, true)
      }
      base += drift < -jumpMs ? drift : Math.max(-slewMs, Math.min(slewMs, drift))
      const isAhead = base + each.start * 1000 < floor() - floorSlackMs
      return stamp(each, isAhead, isAhead)
    },
    follow: (each) => {
      if (mediaEnd === undefined || Math.abs(each.start - mediaEnd) * 1000 > jumpMs) return false
      remember(each)
      mediaEnd = each.start + each.duration
      return true
    },
    hasDrifted: () => exactBase !== undefined && arrivals.length > 0 && Math.abs(leastOffset() - exactBase) > driftMs,
  }
}
