import type { FrameWatch } from '../frames/frames.ts'
import { epsilonSeconds, stepFrame } from './step-frame.ts'
import { heldAhead } from '../frames/picture.ts'
import type { TimelineSegment } from '../playlist/timeline-segments.ts'
import { mediaTimeOf } from '../playlist/playlist.ts'
import type { StartAt } from '../engine/engine.ts'
import type { Source } from './media-controller.ts'

/** The number of frame steps that may be queued. */
const maxSteps = 3
/** How much earlier to load a source to find the frame before it; the second value if there is a gap. */
const leadsMs = [10_000, 3_600_000]

export interface Stepped {
  readonly video: HTMLVideoElement
  readonly frames: FrameWatch
  readonly source: Source
  readonly at: number
  readonly segments: readonly TimelineSegment[]
  readonly generation: number
}

export interface StepperParts {
  shown(): Stepped | null
  generation(): number
  load(source: Source, startAt: StartAt): Promise<void>
  onEnd(): void
}

/** Each step starts from the frame that the last one led to; steps of a held key end when it is released. */
export function createStepper({ shown, generation, load, onEnd }: StepperParts): (direction: 1 | -1) => void {
  const steps = { last: Promise.resolve(), pending: 0 }

  /** Loads footage before the source too, to show the frame before `at`, its first one. */
  const stepBefore = async (source: Source & { kind: 'archive' }, at: number, [lead, ...farther] = leadsMs) => {
    if (lead === undefined) return
    let isFound = false
    const loading = load({ ...source, from: at - lead }, (segments) => {
      const here = mediaTimeOf(segments, at)
      isFound = here > epsilonSeconds
      return Math.max(0, here - epsilonSeconds)
    })
    const mine = generation()
    await loading
    if (!isFound && mine === generation()) await stepBefore(source, at, farther)
  }

  const step = async (direction: 1 | -1) => {
    const picture = shown()
    const [first, last] = [picture?.segments[0], picture?.segments.at(-1)]
    if (picture === null || first === undefined || last === undefined) return
    const { video, frames, source, at } = picture
    const end = source.kind === 'live' ? video.currentTime + heldAhead(video) : last.media + last.duration
    const outcome = await stepFrame(video, frames, direction, { start: first.media, end })
    if (picture.generation !== generation() || source.kind === 'live') return
    if (outcome === 'end') onEnd()
    if (outcome === 'start') await stepBefore(source, at)
  }

  return (direction) => {
    if (steps.pending >= maxSteps) return
    steps.pending += 1
    steps.last = steps.last
      .then(() => step(direction))
      .catch(() => undefined)
      .finally(() => (steps.pending -= 1))
  }
}
