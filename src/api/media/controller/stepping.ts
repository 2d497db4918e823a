import type { FrameWatch } from '../frames/frames.ts'
import { epsilonSeconds, stepFrame } from './step-frame.ts'
import { secondsAhead } from '../frames/picture.ts'
import type { TimelineSegment } from '../playlist/timeline-segments.ts'
import { mediaTimeOf } from '../playlist/playlist.ts'
import type { StartAt } from '../engine/engine.ts'
import type { Source } from './media-controller.ts'

/** The number of frame steps that may be queued. */
const maxSteps = 3
/** How much more of the past is loaded to find the frame before a source; the second one if the first finds a gap. */
const leadsMs = [10_000, 3_600_000]

/** The picture from which to step; `at`: the moment of its frame. */
interface ShownPicture {
  readonly video: HTMLVideoElement
  readonly frames: FrameWatch
  readonly source: Source
  readonly at: number
  readonly segments: readonly TimelineSegment[]
  readonly generation: number
}

export interface StepperParts {
  shown(): ShownPicture | null
  /** Of the current load (ControllerState). */
  generation(): number
  /** Loads a source at `startAt`. `before`: a paused picture is the frame before this moment, epoch milliseconds. */
  load(source: Source, startAt: StartAt, before: number): Promise<void>
  /** A step has passed the last frame of an archive source. */
  onEnd(): void
}

/** Steps one after another. The queue is short, so that steps of a held key end soon after the key is released. */
export function createStepper({ shown, generation, load, onEnd }: StepperParts): (direction: 1 | -1) => void {
  const steps = { last: Promise.resolve(), pending: 0 }

  /** Extends the archive source to the past and shows the frame before `at`, the source's first frame. */
  const stepBefore = async (source: Source & { kind: 'archive' }, at: number, [lead, ...farther] = leadsMs) => {
    if (lead === undefined) return
    let isFound = false
    const startAt: StartAt = (segments) => {
      const here = mediaTimeOf(segments, at)
      isFound = here > epsilonSeconds
      return Math.max(0, here - epsilonSeconds)
    }
    const loading = load({ ...source, from: at - lead }, startAt, at)
    const ownGeneration = generation()
    await loading
    if (!isFound && ownGeneration === generation()) await stepBefore(source, at, farther)
  }

  const step = async (direction: 1 | -1) => {
    const picture = shown()
    const [first, last] = [picture?.segments[0], picture?.segments.at(-1)]
    if (picture === null || first === undefined || last === undefined) return
    const { video, frames, source, at } = picture
    // At its start, a segment with a lead still shows the one before it.
    const leadOf = ({ media, duration }: TimelineSegment) => frames.table.leadAt(media + duration / 2)
    const archiveEnd = last.media + last.duration + leadOf(last)
    const end = source.kind === 'live' ? video.currentTime + secondsAhead(video) : archiveEnd
    const outcome = await stepFrame(video, frames, direction, { start: first.media + leadOf(first), end })
    // Live doesn't continue into the archive.
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
