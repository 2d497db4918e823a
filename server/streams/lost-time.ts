type Recorded = { start: number; finish: number }

/** What one recording should have: from `begin`, or the end of what it has, to its next segment. */
export type LostTime = {
  /** It should be recorded from now on. */
  begin: () => void
  recorded: (segment: Recorded) => void
  /** It isn't to be recorded now. */
  rest: () => void
}

/** A segment of a camera with far keyframes comes this late: until then nothing is lost. */
const openMs = 70_000

export type LostTimes = ReturnType<typeof createLostTimes>

/** Of a substream, which doesn't count as a recording. */
export const noLostTime: LostTime = { begin: () => undefined, recorded: () => undefined, rest: () => undefined }

/** How much isn't recorded that should be, since the server was started. Also grows while a camera is away. */
export const createLostTimes = (now: () => number) => {
  const open = new Map<LostTime, number>()
  let lostMs = 0
  let shownMs = 0
  return {
    follow: (): LostTime => {
      const line: LostTime = {
        begin: () => {
          if (!open.has(line)) open.set(line, now())
        },
        recorded: ({ start, finish }) => {
          const until = open.get(line)
          if (until === undefined) return
          lostMs += Math.max(0, start - until)
          open.set(line, Math.max(until, finish))
        },
        rest: () => {
          open.delete(line)
        },
      }
      return line
    },
    totalMs: (): number => {
      const away = [...open.values()].reduce((sum, until) => sum + Math.max(0, now() - until - openMs), 0)
      // Never less than it was, as a camera that is given up had been counted.
      shownMs = Math.max(shownMs, lostMs + away)
      return shownMs
    },
  }
}
