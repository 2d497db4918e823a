export interface Loop {
  from: number
  to: number
}

/** What a loop needs next: nothing, a seek to its start, or a load, as its start isn't loaded. */
export type LoopTurn = 'none' | 'back' | 'away'

/** The last frame of a source begins this much before its end, at most. */
const lastFrameMs = 250

/** `at`: the frame on the screen; `loaded`: the seekable range; `hasEnded`: no frame will follow. */
export function loopTurn(
  loop: Loop,
  { at, loaded, hasEnded }: { at: number; loaded: Loop; hasEnded: boolean },
): LoopTurn {
  const isOver = at >= loop.to || (hasEnded && at >= loop.to - lastFrameMs)
  if (!isOver) return 'none'
  return loop.from >= loaded.from && loop.from < loaded.to ? 'back' : 'away'
}

/** Watches one loop. Reports each turn once, until the picture has moved. */
export interface LoopWatch {
  set(loop: Loop | null): void
  /** `frame` is the media time of the frame on the screen. */
  update(seen: { frame: number; at: number; loaded: Loop; hasEnded: boolean }): { turn: LoopTurn; from: number }
}

export function createLoopWatch(): LoopWatch {
  const kept = { loop: null as Loop | null, turnedAt: null as number | null }
  return {
    set(loop) {
      Object.assign(kept, { loop, turnedAt: null })
    },
    update({ frame, ...seen }) {
      const from = kept.loop?.from ?? 0
      const turn = kept.loop === null ? 'none' : loopTurn(kept.loop, seen)
      if (turn !== 'none' && kept.turnedAt !== null && frame >= kept.turnedAt) return { turn: 'none', from }
      kept.turnedAt = turn === 'none' ? null : frame
      return { turn, from }
    },
  }
}
