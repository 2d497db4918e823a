import type { TimelineSegment } from '../playlist/timeline-segments.ts'
import type { Engine } from '../engine/engine.ts'
import { countNumbersUpTo } from '../sorted.ts'

/** The last keyframe at or before a moment, in media seconds. `keyframes` are sorted. */
export function keyframeAt(keyframes: readonly number[], moment: number): number | undefined {
  return keyframes[countNumbersUpTo(keyframes, moment) - 1]
}

/** The keyframes of what is loaded, in media seconds: every segment begins with one. */
export function keyframesOf(state: { readonly engine: Pick<Engine, 'segments'> | null }): () => readonly number[] {
  let known: { readonly segments: readonly TimelineSegment[]; readonly starts: readonly number[] } | null = null
  return () => {
    const segments = state.engine?.segments() ?? []
    if (known?.segments !== segments) known = { segments, starts: segments.map(({ media }) => media) }
    return known.starts
  }
}
