import type { TimelineSegment } from '../playlist/timeline-segments.ts'
import type { Engine } from '../engine/engine.ts'

/** The last keyframe at or before a moment, in media seconds. `keyframes` are sorted. */
export function keyframeAt(keyframes: readonly number[], moment: number): number | undefined {
  let [low, high] = [0, keyframes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keyframes[middle] ?? 0) <= moment) low = middle + 1
    else high = middle
  }
  return keyframes[low - 1]
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
