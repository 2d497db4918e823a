import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Interval } from './intervals.ts'

/** `now` is epoch milliseconds, `zone` an IANA name; `rangesMaxSeconds` as in docs/behaviour.md §15. */
export type TimelineInput = {
  readonly streamId: string
  readonly rangesMaxSeconds: number
  readonly now: number
  readonly zone: string
  readonly period?: TimeRange
  /** The only range that can be shown. */
  readonly bounds?: TimeRange | null
}

/** Moments (`at`, `to`, `now`…) are epoch milliseconds. */
export type TimelineEvent =
  /** The moment `at` stays where it is; null, or outside the period: the middle does. */
  | { readonly type: 'timeline.zoomedIn'; readonly at?: number | null }
  | { readonly type: 'timeline.zoomedOut'; readonly at?: number | null }
  /** A factor above 1 shows less time; the moment `at` stays where it is. */
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
  /** `isPartial`: the fragment that contains the moment before `before` counts, too. */
  | { readonly type: 'timeline.previousRequested'; readonly before: number; readonly isPartial?: boolean }
  | { readonly type: 'timeline.markRequested'; readonly at: number; readonly direction: 1 | -1 }
  | {
      readonly type: 'timeline.liveChanged'
      readonly available: boolean
      readonly windowStart: number
      readonly now: number
    }
  /** About once a second. The period follows the `playing` moment when that leaves it. */
  | { readonly type: 'timeline.ticked'; readonly now: number; readonly playing?: number | null }
  | { readonly type: 'timeline.resized'; readonly width: number }
  | { readonly type: 'timeline.zoneChosen'; readonly zone: string }

export type TimelineReport =
  /**
   * A moment was picked; `interval` contains it. In a gap `nextFragment` is the first fragment after it, searched
   * beyond the visible period too; null if there is none or the request failed. Elsewhere it is the next fragment if
   * known. Intervals may end where the loaded time ends.
   */
  | {
      readonly type: 'timeline.picked'
      readonly at: number
      readonly interval: Interval
      readonly nextFragment: Interval | null
    }
  /** `next` is the first fragment or live interval that starts at `after` or later; null if there is none. */
  | { readonly type: 'timeline.nextFound'; readonly after: number; readonly next: Interval | null }
  | { readonly type: 'timeline.previousFound'; readonly before: number; readonly previous: Interval | null }
  /** The answer to a request with `isPartial`; the fragment may begin before what is loaded. */
  | { readonly type: 'timeline.precedingFound'; readonly before: number; readonly preceding: Interval | null }
  | { readonly type: 'timeline.markFound'; readonly at: number | null }
  | { readonly type: 'timeline.spanChanged'; readonly span: number }
