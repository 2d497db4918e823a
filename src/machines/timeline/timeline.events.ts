import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Interval } from './intervals.ts'

/** `zone` is an IANA name; `rangesMaxSeconds` the longest range of one request (docs/behaviour.md §15). */
export type TimelineInput = {
  readonly streamId: string
  readonly rangesMaxSeconds: number
  readonly now: number
  readonly zone: string
  readonly period?: TimeRange
  /** The only range that can be shown. */
  readonly bounds?: TimeRange | null
}

export type TimelineEvent =
  /** The moment `at` keeps its position; if it is null or outside the period, the middle does. */
  | { readonly type: 'timeline.zoomedIn'; readonly at?: number | null }
  | { readonly type: 'timeline.zoomedOut'; readonly at?: number | null }
  /** A factor above 1 shows less time; the moment `at` keeps its position. */
  | { readonly type: 'timeline.zoomedAt'; readonly factor: number; readonly at: number }
  | { readonly type: 'timeline.movedEarlier' }
  | { readonly type: 'timeline.movedLater' }
  | { readonly type: 'timeline.centred'; readonly at: number }
  /** Shows the moment `at` (null: now) and a period of that length in milliseconds (null: the default). */
  | { readonly type: 'timeline.shown'; readonly at: number | null; readonly span: number | null }
  /** Moves the start of the period to `to`. */
  | { readonly type: 'timeline.panned'; readonly to: number }
  | { readonly type: 'timeline.pickRequested'; readonly at: number }
  | { readonly type: 'timeline.nextRequested'; readonly after: number }
  /** The fragment that ends before `before`; with `isPartial`, one that `before` cuts counts, too. */
  | { readonly type: 'timeline.previousRequested'; readonly before: number; readonly isPartial?: boolean }
  /** The next (1) or previous (-1) annotation, seen from the moment `at`. */
  | { readonly type: 'timeline.annotationRequested'; readonly at: number; readonly direction: 1 | -1 }
  /** The player no longer wants the answer to its last query. */
  | { readonly type: 'timeline.searchCancelled' }
  /** The stream became available or not, or its live window moved, which begins at `windowStart`. */
  | {
      readonly type: 'timeline.liveChanged'
      readonly available: boolean
      readonly windowStart: number
      readonly now: number
    }
  /** About once a second. The period follows the playhead when that leaves it. */
  | { readonly type: 'timeline.ticked'; readonly now: number; readonly playhead?: number | null }
  /** The width in px. */
  | { readonly type: 'timeline.resized'; readonly width: number }
  | { readonly type: 'timeline.zoneChosen'; readonly zone: string }
  /** The user may view the archive from now on. */
  | { readonly type: 'timeline.permitted' }

export type TimelineReport =
  /**
   * The answer to `pickRequested`; `interval` contains the moment `at`. If that is a gap, `nextFragment` is the first
   * fragment after it, even outside the period; null if there is none or the request failed. Else it is the next
   * fragment if that is known. An interval may end where the loaded time ends.
   */
  | {
      readonly type: 'timeline.picked'
      readonly at: number
      readonly interval: Interval
      readonly nextFragment: Interval | null
    }
  /** The first fragment or live interval that starts at `after` or later; null if there is none. */
  | { readonly type: 'timeline.nextFound'; readonly after: number; readonly next: Interval | null }
  | { readonly type: 'timeline.previousFound'; readonly before: number; readonly previous: Interval | null }
  /** The answer to `previousRequested` with `isPartial`; the fragment may begin before the loaded time. */
  | { readonly type: 'timeline.precedingFound'; readonly before: number; readonly preceding: Interval | null }
  /** The start of the annotation; null if there is none. */
  | { readonly type: 'timeline.annotationFound'; readonly at: number | null }
  /** The length of the period, in milliseconds. */
  | { readonly type: 'timeline.spanChanged'; readonly span: number }
