import { pause } from '../pause.ts'

/**
 * What reverse playback does next: shows the picture at `media`, waits for `seconds` of media time, or ends at the
 * first picture.
 */
type ReverseStep =
  | { readonly kind: 'show'; readonly media: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'end' }

/** Pictures nearer to each other than this are the same one. */
const sameSeconds = 0.005

/** In media seconds. */
interface ReverseStepInput {
  /** The position that a picture shown now should have. */
  readonly target: number
  /** The picture on the screen. */
  readonly shown: number
  /** The last keyframe at or before a position. */
  readonly keyframeAt: (media: number) => number | undefined
  /** Where playback ends: the start of the source, or of the loop. */
  readonly floor: number
}

/** The picture of a position is the last keyframe at or before it, but none before `floor`. */
export function reverseStep({ target, shown, keyframeAt, floor }: ReverseStepInput): ReverseStep {
  const due = Math.max(floor, keyframeAt(target) ?? floor)
  if (due < shown - sameSeconds) return { kind: 'show', media: due }
  if (target < floor) return { kind: 'end' }
  return { kind: 'wait', seconds: Math.max(0, target - Math.max(shown, floor)) }
}

export interface ReversePicture {
  readonly keyframeAt: ReverseStepInput['keyframeAt']
  readonly floor: number
  /** Seeks; resolves when the picture is on the screen, or when aborted. */
  readonly show: (media: number, signal: AbortSignal) => Promise<void>
  readonly onStalled: () => void
  readonly onShown: () => void
  readonly onEnd: () => void
}

/** A picture that takes longer is reported as a stall. */
const stallMs = 400
/** After a picture that took longer, the clock goes on from that picture. */
const maxLateMs = 1000
/** How far ahead of the clock the first seek is, as a seek takes time; later a moving average of the durations. */
const firstLeadMs = 80
/** The weight of the last duration in that average. */
const leadWeight = 0.3
/** The shortest wait, so that a rounding error can't make the loop spin. */
const minWaitMs = 4

/**
 * Plays backwards from a position in media seconds, by keyframes. `speed` is positive. Each seek waits for the one
 * before; a slow seek skips pictures, so that the clock keeps its speed.
 */
export async function playBackwards(
  { keyframeAt, floor, show, onStalled, onShown, onEnd }: ReversePicture,
  { from, speed }: { from: number; speed: number },
  signal: AbortSignal,
): Promise<void> {
  let clock = { media: from, since: performance.now() }
  let shown = from
  let leadMs = firstLeadMs
  while (!signal.aborted) {
    const elapsedMs = performance.now() - clock.since + leadMs
    const target = clock.media - (elapsedMs / 1000) * speed
    const step = reverseStep({ target, shown, keyframeAt, floor })
    if (step.kind === 'end') return onEnd()
    if (step.kind === 'wait') {
      await pause(Math.max(minWaitMs, (step.seconds / speed) * 1000), signal)
      continue
    }
    const startedAt = performance.now()
    const stalling = setTimeout(onStalled, stallMs)
    await show(step.media, signal)
    clearTimeout(stalling)
    if (signal.aborted) return
    onShown()
    shown = step.media
    const seekMs = performance.now() - startedAt
    leadMs += (Math.min(seekMs, maxLateMs) - leadMs) * leadWeight
    if (seekMs > maxLateMs) clock = { media: shown, since: performance.now() }
  }
}
