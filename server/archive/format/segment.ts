import type { TableSegment } from './chunk-table.ts'

/** One complete segment. `start` and `finish` in epoch milliseconds, `duration` and `mediaStart` in seconds. */
export type Segment = TableSegment & {
  run: number
  volume: number
  /** Relative to the stream's folder on the volume; `offset` is where the segment begins in the file. */
  file: string
}

export type ListedSegment = Pick<Segment, 'start' | 'finish' | 'duration' | 'run'>

/** Segments may overlap by as much, for the jitter of arrivals. */
export const overlapMs = 5

/** Keyframes closer than this, in seconds, share a segment. */
export const minSegmentSeconds = 0.9

/**
 * A segment ends at this length even without a keyframe. Keyframes may be a minute apart; the other 6 s are for cameras
 * that aren't exact and for the parts that arrive before the keyframe.
 */
export const maxSegmentSeconds = 66
/** The same for its size: a minute of 12 Mbit/s fits. */
export const maxSegmentBytes = 96 * 1024 * 1024
/** How long after its first picture a segment is indexed, at most. */
export const indexedWithinMs = maxSegmentSeconds * 1000 + 10_000

/** A larger distance between two segments, in milliseconds, begins a chunk. */
export const chunkGapMs = 500
/** The limits of a chunk; one segment may be larger. */
export const maxChunkMs = 60_000
export const maxChunkBytes = 16 * 1024 * 1024

/** Seconds; the target duration of a recording without longer segments. */
const leastTargetDuration = 2

/** The target duration of a playlist of `segments`, seconds: at least `least` (rfc8216bis §4.4.3.1). */
export const targetDurationOf = (segments: readonly Pick<Segment, 'duration'>[], least = leastTargetDuration): number =>
  Math.max(least, ...segments.map(({ duration }) => Math.round(duration)))

/** How long a file stays for live alone: about two live windows. `targetDuration` in seconds. */
export const liveFileMs = (targetDuration: number): number => Math.max(120_000, 12_000 * targetDuration)

/** Neighbours closer than this form one range: a reconnect without a loss worth showing. */
export const gapToleranceMs = 1000

/** Whether a segment follows the one before it in a playlist without a discontinuity (docs/wire.md §5.3). */
export const isJoined = (
  before: Pick<Segment, 'run' | 'finish'> | undefined,
  { run, start }: Pick<Segment, 'run' | 'start'>,
): boolean => before?.run === run && Math.abs(start - before.finish) < gapToleranceMs / 2

/** Says of each segment of a stream, in their order, whether a recorded fragment begins with it. */
export const createFragmentCheck = (): ((segment: Pick<Segment, 'start' | 'finish'>) => boolean) => {
  let recordedUntil = -Infinity
  return ({ start, finish }) => {
    const isFirst = start - recordedUntil > gapToleranceMs
    recordedUntil = Math.max(recordedUntil, finish)
    return isFirst
  }
}
