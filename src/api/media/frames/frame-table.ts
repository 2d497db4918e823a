import { countNumbersUpTo, countUpTo } from '../sorted.ts'

/**
 * The start of each frame on the media timeline, in seconds, read from the segments. What browsers report is less
 * reliable: some report the sought position after a seek while paused, some round to whole seconds.
 */
export interface FrameTable {
  /** Adds a segment: its start, its duration and the starts of its frames relative to it. */
  put(segment: { readonly start: number; readonly duration: number; readonly offsets: readonly number[] }): void
  /** The start of the frame shown at a time; undefined if its segment isn't known. */
  at(time: number): number | undefined
  /** The start of the next or previous frame; undefined if unknown. */
  after(frame: number): number | undefined
  before(frame: number): number | undefined
  /**
   * Seconds from the start of the segment at a time to its first frame, as players position segments by the time at
   * which the first frame is decoded. Of the segment that was read last if that one isn't known; 0 before any.
   */
  leadAt(time: number): number
  /** Frames per second in the segment at a time; undefined if it isn't known. */
  rateAt(time: number): number | undefined
  clear(): void
}

/** A reported time may be this much before its frame, as players position segments to a millisecond. */
const toleranceSeconds = 0.0015
/** Segments this near to each other have no gap between them. */
const joinSeconds = 0.01
/** Some minutes of video: more than any browser buffers. */
const maxSegments = 600

/** `start`: of its first frame, `end`: of its last one, `frames`: the starts of its frames. */
interface KnownSegment {
  readonly start: number
  readonly end: number
  readonly lead: number
  readonly frames: readonly number[]
}

export function createFrameTable(): FrameTable {
  /** By start in milliseconds, in order of arrival. */
  const known = new Map<number, KnownSegment>()
  let sorted: readonly KnownSegment[] | null = null
  let lastLead = 0

  const inOrder = (): readonly KnownSegment[] => (sorted ??= [...known.values()].toSorted((a, b) => a.start - b.start))
  const segmentAt = (time: number): number => {
    const segments = inOrder()
    const index = countUpTo(segments, time + toleranceSeconds, ({ start }) => start) - 1
    return time <= (segments[index]?.end ?? Number.NEGATIVE_INFINITY) + toleranceSeconds ? index : -1
  }
  /** The adjacent segment, if there is no gap between them. */
  const neighbour = (index: number, direction: 1 | -1): KnownSegment | undefined => {
    const [here, other] = [inOrder()[index], inOrder()[index + direction]]
    if (here === undefined || other === undefined) return undefined
    const gap = direction === 1 ? other.start - here.end : here.start - other.end
    return Math.abs(gap) <= joinSeconds ? other : undefined
  }

  return {
    put({ start, duration, offsets }) {
      const key = Math.round(start * 1000)
      known.delete(key)
      lastLead = offsets[0] ?? 0
      const frames = offsets.map((offset) => start + offset)
      known.set(key, { start: start + lastLead, end: start + lastLead + duration, lead: lastLead, frames })
      const [oldest] = known.keys()
      if (known.size > maxSegments && oldest !== undefined) known.delete(oldest)
      sorted = null
    },
    at(time) {
      const frames = inOrder()[segmentAt(time)]?.frames
      return frames?.[Math.max(0, countNumbersUpTo(frames, time + toleranceSeconds) - 1)]
    },
    after(frame) {
      const index = segmentAt(frame)
      const frames = inOrder()[index]?.frames
      if (frames === undefined) return undefined
      const next = countNumbersUpTo(frames, frame + toleranceSeconds)
      return frames[next] ?? neighbour(index, 1)?.frames[0]
    },
    before(frame) {
      const index = segmentAt(frame)
      const frames = inOrder()[index]?.frames
      if (frames === undefined) return undefined
      const previous = countNumbersUpTo(frames, frame + toleranceSeconds) - 2
      return frames[previous] ?? neighbour(index, -1)?.frames.at(-1)
    },
    leadAt: (time) => inOrder()[segmentAt(time)]?.lead ?? lastLead,
    rateAt(time) {
      const segment = inOrder()[segmentAt(time)]
      return segment === undefined ? undefined : segment.frames.length / (segment.end - segment.start)
    },
    clear() {
      known.clear()
      sorted = null
      lastLead = 0
    },
  }
}
