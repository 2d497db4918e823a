import type { ArchiveLock } from '../../api/contract/locks.ts'
import type { FoundMotion } from '../../api/contract/motion.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { TimelineAnnotation } from '../../machines/timeline/annotations.ts'
import type { Interval } from '../../machines/timeline/intervals.ts'
import type { AxisLabel, OffsetRange } from '../../machines/timeline/timeline-labels.ts'
import type { CanvasColours } from './canvas-colours.ts'

/** What the canvas of the timeline shows. Its period is `width` pixels wide. */
export type BandScene = {
  readonly period: TimeRange
  readonly width: number
  readonly now: number
  readonly intervals: readonly Interval[]
  readonly annotations: readonly TimelineAnnotation[]
  readonly locks: readonly Pick<ArchiveLock, 'startTime' | 'endTime'>[]
  /** The ranges in which motion was found. */
  readonly foundMotion: readonly Pick<FoundMotion, 'startTime' | 'endTime'>[]
  /** The recorded days, drawn where the intervals aren't loaded yet; null if they aren't known. */
  readonly covered: readonly TimeRange[] | null
  readonly buffered: readonly TimeRange[]
  readonly selection: { readonly from: number | null; readonly to: number | null }
  /** The offsets from UTC in the period. */
  readonly offsets: readonly OffsetRange[]
  readonly colours: CanvasColours
  readonly labelText: (label: AxisLabel) => string
}

/** Pixels. The handles of the in and out marks are outside the selection: both fit beside one of a single pixel. */
export const markHandle = { width: 12, height: 14 } as const

/** Pixels from the top of the band: the axis, the track with the recorded ranges, and the annotations below it. */
export const band = {
  height: 72,
  axis: 20,
  track: { top: 22, height: 30 },
  annotations: { top: 56, height: 12 },
} as const
