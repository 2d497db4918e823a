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

/** Neighbours closer than this form one range: a reconnect without a loss worth showing. */
export const gapToleranceMs = 1000
