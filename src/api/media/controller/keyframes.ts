import type { Engine } from '../engine/engine.ts'
import type { TimelineSegment } from '../playlist/timeline-segments.ts'
import { countNumbersUpTo } from '../sorted.ts'
import type { ControllerState } from './controller-state.ts'

/** The keyframes of what is loaded, in media seconds. */
export interface Keyframes {
  /** 0 before anything is loaded. */
  first(): number
  /** The last one at or before a moment. */
  at(moment: number): number | undefined
}

/** A moment this much before a keyframe is at it, as sums of seconds round. */
const roundingSeconds = 1e-6

type Loaded = Pick<ControllerState, 'leadAt'> & { readonly engine: Pick<Engine, 'segments'> | null }

/** Every segment begins with a keyframe, which may be shown later than the segment starts (`FrameTable.leadAt`). */
export function keyframesOf(state: Loaded): Keyframes {
  let known: { readonly segments: readonly TimelineSegment[]; readonly starts: readonly number[] } | null = null
  const starts = (): readonly number[] => {
    const segments = state.engine?.segments() ?? []
    if (known?.segments !== segments) known = { segments, starts: segments.map(({ media }) => media) }
    return known.starts
  }
  return {
    first() {
      const start = starts()[0] ?? 0
      return start + state.leadAt(start)
    },
    at(moment) {
      const lead = state.leadAt(moment)
      const start = starts()[countNumbersUpTo(starts(), moment - lead + roundingSeconds) - 1]
      return start === undefined ? undefined : start + lead
    },
  }
}
