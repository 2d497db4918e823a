import type { ArchiveLock } from '../../api/contract/locks.ts'
import type { FoundMotion } from '../../api/contract/motion.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Mark } from '../../machines/timeline/annotations.ts'
import type { Interval } from '../../machines/timeline/intervals.ts'
import type { AxisLabel, OffsetRange } from '../../machines/timeline/timeline-labels.ts'
import type { CanvasColours } from './canvas-colours.ts'

export type BandScene = {
  readonly period: TimeRange
  readonly width: number
  readonly now: number
  readonly intervals: readonly Interval[]
  readonly marks: readonly Mark[]
  readonly locks: readonly Pick<ArchiveLock, 'startTime' | 'endTime'>[]
  /** Where motion was found. */
  readonly foundMotion: readonly Pick<FoundMotion, 'startTime' | 'endTime'>[]
  readonly covered: readonly TimeRange[] | null
  readonly buffered: readonly TimeRange[]
  readonly selection: { readonly from: number | null; readonly to: number | null }
  readonly offsets: readonly OffsetRange[]
  readonly colours: CanvasColours
  readonly labelText: (label: AxisLabel) => string
}

/** Pixels. The handles of the in and out marks are outside the range, so that both fit if it is one pixel wide. */
export const markHandle = { width: 12, height: 14 } as const

export const band = { height: 72, axis: 20, track: { top: 22, height: 30 }, marks: { top: 56, height: 12 } } as const
