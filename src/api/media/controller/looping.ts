import type { ControllerState } from './controller-state.ts'
import type { LoopWatch } from './loop.ts'
import type { Transport } from './transport.ts'

/** `update` returns whether the loop turned, or reported that its start isn't loaded. */
export interface Looping {
  update(hasEnded: boolean): boolean
}

export function createLooping(state: ControllerState, loopWatch: LoopWatch, transport: Transport): Looping {
  const { requested, segmentTimeline } = state
  return {
    update(hasEnded) {
      const frame = state.attached?.frames.mediaTime() ?? null
      const [at, loaded] = [state.positionAt(), segmentTimeline.map()]
      if (requested.loop === null || at === null || frame === null || loaded === null) return false
      if (!requested.isPlaying || state.attached?.video.seeking === true) return false
      const { turn, from } = loopWatch.update({ frame, at, loaded, hasEnded })
      if (turn === 'away') state.report({ type: 'engine.loopEnded' })
      if (turn === 'back') transport.seek(from)
      if (turn === 'back' && hasEnded) transport.applyPlaying()
      return turn !== 'none'
    },
  }
}
