/** A range to repeat, in epoch milliseconds. */
export interface Loop {
  from: number
  to: number
}

/** What repeats the loop now: nothing yet, a seek to its start, or a load because its start isn't loaded. */
type LoopAction = 'none' | 'seek' | 'load'

/** The longest last frame of a source. */
const lastFrameMs = 250

/**
 * `at`: the moment of the frame on the screen; `loaded`: the range that can be sought; `hasEnded`: no frame follows.
 */
export function loopAction(
  loop: Loop,
  { at, loaded, hasEnded }: { at: number; loaded: Loop; hasEnded: boolean },
): LoopAction {
  const isOver = at >= loop.to || (hasEnded && at >= loop.to - lastFrameMs)
  if (!isOver) return 'none'
  return loop.from >= loaded.from && loop.from < loaded.to ? 'seek' : 'load'
}

/** Decides when a loop repeats; returns each action once, until the picture has moved back. */
export interface LoopWatch {
  set(loop: Loop | null): void
  /** `frame`: the media time of the frame on the screen, in seconds; `from`: the start of the loop. */
  update(playback: { frame: number; at: number; loaded: Loop; hasEnded: boolean }): { action: LoopAction; from: number }
}

export function createLoopWatch(): LoopWatch {
  const state = { loop: null as Loop | null, repeatedAt: null as number | null }
  return {
    set(loop) {
      Object.assign(state, { loop, repeatedAt: null })
    },
    update({ frame, ...playback }) {
      const from = state.loop?.from ?? 0
      const action = state.loop === null ? 'none' : loopAction(state.loop, playback)
      if (action !== 'none' && state.repeatedAt !== null && frame >= state.repeatedAt) return { action: 'none', from }
      state.repeatedAt = action === 'none' ? null : frame
      return { action, from }
    },
  }
}
