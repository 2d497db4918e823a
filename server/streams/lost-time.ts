type Recorded = { start: number; finish: number }

/** Counts the time that one stream should be recorded and isn't: from `begin`, or its last segment, to its next one. */
export type LostTime = {
  /** The stream should be recorded from now on. */
  begin: () => void
  recorded: (segment: Recorded) => void
  /** The stream need not be recorded now. */
  pause: () => void
}

/** The next segment of a camera with far keyframes may take this long: until then nothing counts as lost. */
const graceMs = 70_000

/** A stream that begins to be supervised. Epoch milliseconds: `recordedUntil` is 0 for one without recordings. */
type Supervised = { uid: string; createdAt: number; recordedUntil: number }

export type LostTimes = ReturnType<typeof createLostTimes>

/** For a substream, whose lost time doesn't count. */
export const noLostTime: LostTime = { begin: () => undefined, recorded: () => undefined, pause: () => undefined }

/**
 * The lost time of all streams since the server was started, and while it was down before. It grows while a camera is
 * away, too. `lastUpAt`: when this server was last seen up, before its start; undefined if that is unknown.
 */
export const createLostTimes = (now: () => number, lastUpAt?: number) => {
  /** Up to when each stream that should be recorded is recorded, epoch milliseconds. */
  const recordedUntil = new Map<LostTime, number>()
  /** The streams for which the time before the start is counted. */
  const known = new Set<string>()
  let lostMs = 0
  let shownMs = 0

  /** Since when a stream may lack video. What was lost up to `graceMs` before its end, the last process has counted. */
  const downSince = (stream: Supervised): number | undefined => {
    if (lastUpAt === undefined || known.has(stream.uid)) return undefined
    known.add(stream.uid)
    // A clock that was set back may have recorded ahead.
    return Math.min(now(), Math.max(stream.recordedUntil, stream.createdAt, lastUpAt - graceMs))
  }

  return {
    track: (stream: Supervised): LostTime => {
      let since = downSince(stream)
      const tracker: LostTime = {
        begin: () => {
          if (!recordedUntil.has(tracker)) recordedUntil.set(tracker, since ?? now())
          since = undefined
        },
        recorded: ({ start, finish }) => {
          const until = recordedUntil.get(tracker)
          if (until === undefined) return
          lostMs += Math.max(0, start - until)
          recordedUntil.set(tracker, Math.max(until, finish))
        },
        pause: () => {
          since = undefined
          recordedUntil.delete(tracker)
        },
      }
      return tracker
    },
    totalMs: (): number => {
      const away = [...recordedUntil.values()].reduce((sum, until) => sum + Math.max(0, now() - until - graceMs), 0)
      // A counter never falls: the time of a camera that isn't recorded any more had been counted.
      shownMs = Math.max(shownMs, lostMs + away)
      return shownMs
    },
  }
}
