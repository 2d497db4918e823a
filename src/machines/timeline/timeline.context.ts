import type { TimeRange } from '../../api/contract/time-range.ts'
import type { ApiError } from '../../api/reply.ts'
import type { Mark } from './annotations.ts'
import type { Coverage, CoverageReport } from './coverage.machine.ts'
import { intervalAt, addLive, type Interval, type LiveWindow } from './intervals.ts'
import { isOfMarks, lookUp, lookUpMark, type Lookup, type MarkLookup, type Query } from './lookup.ts'
import type { ChunksReport } from './chunks.machine.ts'
import type { TimelineEvent, TimelineReport } from './timeline.events.ts'
import {
  centreOn,
  followPlaying,
  moveByQuarter,
  panTo,
  periodShowing,
  within,
  zoomAt,
  zoomIn,
  zoomOut,
} from './timeline-geometry.ts'

export type TimelineMachineEvent =
  | TimelineEvent
  | (ChunksReport<readonly Interval[]> & { readonly kind: 'ranges' })
  | (ChunksReport<readonly Mark[]> & { readonly kind: 'annotations' })
  | CoverageReport

export type TimelineContext = {
  readonly streamId: string
  /** The longest range of one request, in milliseconds. */
  readonly maxRangeMs: number
  readonly zone: string
  readonly period: TimeRange
  /** The only range that can be shown; null: any. */
  readonly bounds: TimeRange | null
  /** In px. */
  readonly width: number
  /** What the children were last notified of. */
  readonly reported: { readonly period: TimeRange; readonly width: number } | null
  /** The playhead; null if nothing plays. */
  readonly playing: number | null
  readonly live: LiveWindow
  /** The known intervals without the live one. */
  readonly recorded: readonly Interval[]
  /** The known intervals with the live one and the trailing gap. */
  readonly intervals: readonly Interval[]
  readonly marks: readonly Mark[]
  /** The ranges for which marks are loaded. */
  readonly loadedMarkRanges: readonly TimeRange[]
  readonly coverage: Coverage | null
  /** The recorded days as ranges. */
  readonly covered: readonly TimeRange[] | null
  readonly rangesApiError: ApiError | null
  readonly annotationsApiError: ApiError | null
  readonly query: Query | null
  /** The moment that is being loaded for the query. */
  readonly soughtAt: number | null
}

type PeriodShown = Pick<TimelineContext, 'period' | 'playing'> &
  Partial<Pick<TimelineContext, 'bounds'>> & { readonly live: Pick<LiveWindow, 'now'> }

/** The length of the trailing gap, beyond any period. */
const horizonMs = 10 * 365 * 24 * 3600_000

export function withLive(recorded: readonly Interval[], live: LiveWindow) {
  return { live, intervals: addLive(recorded, live, live.now + horizonMs) }
}

export function periodAfter(shown: PeriodShown, event: TimelineMachineEvent): TimeRange {
  const moved = movedPeriod(shown, event)
  return moved === shown.period ? moved : within(moved, shown.bounds ?? null)
}

function movedPeriod({ period, live, playing }: PeriodShown, event: TimelineMachineEvent): TimeRange {
  switch (event.type) {
    case 'timeline.zoomedIn':
      return zoomIn(period, event.at ?? null)
    case 'timeline.zoomedOut':
      return zoomOut(period, event.at ?? null, live.now)
    case 'timeline.zoomedAt':
      return zoomAt(period, event.factor, event.at)
    case 'timeline.movedEarlier':
      return moveByQuarter(period, -1)
    case 'timeline.movedLater':
      return moveByQuarter(period, 1)
    case 'timeline.centred':
      return centreOn(period, event.at)
    case 'timeline.shown':
      return periodShowing(period, event, live.now)
    case 'timeline.panned':
      return panTo(period, event.to, live.now)
    case 'timeline.ticked':
      return followPlaying(period, playing, event.playing ?? null)
    default:
      return period
  }
}

export function answerOf({
  intervals,
  live,
  covered,
  coverage,
  marks,
  loadedMarkRanges,
  query,
}: TimelineContext): Lookup | MarkLookup {
  if (query === null) return { isKnown: true, interval: null }
  const recorded = coverage?.recorded ?? null
  if (isOfMarks(query)) return lookUpMark({ marks, loadedMarkRanges, live, covered, recorded }, query)
  return lookUp({ intervals, live, covered, recorded }, query)
}

/** Reports the answer to the query; nothing was found if the server refused the request. */
export function reportOf(context: TimelineContext): TimelineReport {
  const found = answerOf(context)
  const { kind, at } = context.query ?? { kind: 'next', at: context.live.now }
  if (kind === 'nextMark' || kind === 'previousMark')
    return { type: 'timeline.markFound', at: found.isKnown && 'mark' in found ? (found.mark?.from ?? null) : null }
  const interval = found.isKnown && 'interval' in found ? found.interval : null
  if (kind === 'next') return { type: 'timeline.nextFound', after: at, next: interval }
  if (kind === 'preceding') return { type: 'timeline.precedingFound', before: at, preceding: interval }
  if (kind === 'previous') return { type: 'timeline.previousFound', before: at, previous: interval }
  const picked = intervalAt(context.intervals, at) ?? { type: 'gap', from: at, to: at + 1 }
  return { type: 'timeline.picked', at, interval: picked, nextFragment: interval }
}
