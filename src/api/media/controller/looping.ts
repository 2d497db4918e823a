import type { ControllerState } from './controller-state.ts'
import type { LoopWatch } from './loop.ts'
import type { Transport } from './transport.ts'

export interface Looping {
  /** Repeats the loop at its end: seeks, or reports that its start must be loaded. Returns whether it did either. */
  update(hasEnded: boolean): boolean
}

export function createLooping(state: ControllerState, loopWatch: LoopWatch, transport: Transport): Looping {
  const { requested, segmentTimeline } = state
  return {
    update(hasEnded) {
      if (requested.loop === null) return false
      const frame = state.attached?.frames.mediaTime() ?? null
      const [at, loaded] = [state.positionAt(), segmentTimeline.map()]
      if (at === null || frame === null || loaded === null) return false
      if (!requested.isPlaying || requested.rate < 0 || state.attached?.video.seeking === true) return false
      const { action, from } = loopWatch.update({ frame, at, loaded, hasEnded })
      if (action === 'load') state.report({ type: 'engine.loopEnded' })
      if (action === 'seek') transport.seek(from)
      return action !== 'none'
    },
  }
}
