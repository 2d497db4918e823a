import type { TimeRange } from '../../api/contract/time-range.ts'
import type { ApiError } from '../../api/reply.ts'
import type { TimelineAnnotation } from './annotations.ts'
import type { Coverage, CoverageReport } from './coverage.machine.ts'
import { keptIfSame } from './chunks.ts'
import {
  addLive,
  intervalAt,
  intervalsWithin,
  isSameInterval,
  mergeChunks,
  type Interval,
  type LiveWindow,
} from './intervals.ts'
import { isOfAnnotations, lookUp, lookUpAnnotation, type Lookup, type AnnotationLookup, type Query } from './lookup.ts'
import type { ChunksReport } from './chunks.events.ts'
import type { TimelineEvent, TimelineReport } from './timeline.events.ts'
import {
  centreOn,
  followPlayhead,
  lengthOf,
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
  | (ChunksReport<readonly TimelineAnnotation[]> & { readonly kind: 'annotations' })
  | CoverageReport

export type TimelineContext = {
  readonly streamId: string
  /** The longest range of one request, in milliseconds. */
  readonly maxRangeMs: number
  readonly zone: string
  readonly period: TimeRange
  /** The only range that can be shown; null: any. */
  readonly bounds: TimeRange | null
  /** In px; 0 before the first layout. */
  readonly width: number
  /** The period and width that the children were last notified of. */
  readonly reported: { readonly period: TimeRange; readonly width: number } | null
  /** Null if no frame is on the screen. */
  readonly playhead: number | null
  readonly live: LiveWindow
  /** The known intervals without the live one. */
  readonly recorded: readonly Interval[]
  /** The parts of `recorded` that were in the future when they were loaded: they may have been recorded since. */
  readonly unsettled: readonly TimeRange[]
  /** The known intervals with the live one and the gap after now. */
  readonly intervals: readonly Interval[]
  readonly annotations: readonly TimelineAnnotation[]
  /** The ranges for which annotations are loaded. */
  readonly loadedAnnotationRanges: readonly TimeRange[]
  readonly coverage: Coverage | null
  /** The recorded days as ranges, in the timeline's zone; null until they are known. */
  readonly covered: readonly TimeRange[] | null
  readonly rangesApiError: ApiError | null
  readonly annotationsApiError: ApiError | null
  /** What the player asked last; null once it is answered. */
  readonly query: Query | null
  /** The moment that is being loaded to answer the query. */
  readonly awaitedAt: number | null
  /** Whether that moment isn't loaded any more, as several requests have failed. */
  readonly isAbandoned: boolean
}

/** What the next period depends on. */
type PeriodState = Pick<TimelineContext, 'period' | 'playhead'> &
  Partial<Pick<TimelineContext, 'bounds'>> & { readonly live: Pick<LiveWindow, 'now'> }

/** The length of the gap after now; longer than any period. */
const horizonMs = 10 * 365 * 24 * 3600_000

/** The live window, and the intervals with the live one and the gap after now. */
export function withLive(recorded: readonly Interval[], live: LiveWindow) {
  return { live, intervals: addLive(recorded, live, live.now + horizonMs) }
}

/** The recordings of the chunks; nothing if they are the same as before. */
export function withRecorded(
  { recorded: before, live }: Pick<TimelineContext, 'recorded' | 'live'>,
  chunks: ChunksReport<readonly Interval[]>['chunks'],
) {
  const merged = mergeChunks(chunks.map(({ from, to, content }) => ({ from, to, intervals: content })))
  const recorded = keptIfSame(before, merged, isSameInterval)
  return recorded === before ? {} : { recorded, ...withLive(recorded, live) }
}

export const spanChangeOf = ({ period }: Pick<TimelineContext, 'period'>) => ({
  type: 'timeline.spanChanged' as const,
  span: lengthOf(period),
})

/** The period after an event, within the bounds. */
export function periodAfter(state: PeriodState, event: TimelineMachineEvent): TimeRange {
  const moved = movedPeriod(state, event)
  return moved === state.period ? moved : within(moved, state.bounds ?? null)
}

function movedPeriod({ period, live, playhead }: PeriodState, event: TimelineMachineEvent): TimeRange {
  switch (event.type) {
    case 'timeline.zoomedIn':
      return zoomIn(period, event.at ?? null)
    case 'timeline.zoomedOut':
      return zoomOut(period, event.at ?? null, live.now)
    case 'timeline.zoomedAt':
      return event.factor < 1
        ? zoomOut(period, event.at, live.now, 1 / event.factor)
        : zoomAt(period, event.factor, event.at)
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
      return followPlayhead(period, playhead, event.playhead ?? null)
    default:
      return period
  }
}

/** The intervals without those that may have been recorded since they were loaded. */
function settledIntervals({ recorded, unsettled, live }: TimelineContext): readonly Interval[] {
  const settled = unsettled.reduce<readonly Interval[]>(
    (list, { from, to }) => [
      ...intervalsWithin(list, Number.NEGATIVE_INFINITY, from),
      ...intervalsWithin(list, to, Number.POSITIVE_INFINITY),
    ],
    recorded,
  )
  return withLive(settled, live).intervals
}

/** The answer to the query, or the moment to load first. */
export function answerOf(context: TimelineContext): Lookup | AnnotationLookup {
  const { live, covered, coverage, annotations, loadedAnnotationRanges, query } = context
  if (query === null) return { isKnown: true, interval: null }
  const recorded = coverage?.recorded ?? null
  if (isOfAnnotations(query))
    return lookUpAnnotation({ annotations, loadedAnnotationRanges, live, covered, recorded }, query)
  return lookUp({ intervals: settledIntervals(context), live, covered, recorded }, query)
}

/** The report of the answer to the query; if the server refused a request, as if nothing were found. */
export function reportOf(context: TimelineContext): TimelineReport {
  const answer = answerOf(context)
  const { kind, at } = context.query ?? { kind: 'next', at: context.live.now }
  if (kind === 'nextAnnotation' || kind === 'previousAnnotation')
    return {
      type: 'timeline.annotationFound',
      at: answer.isKnown && 'annotation' in answer ? (answer.annotation?.from ?? null) : null,
    }
  const interval = answer.isKnown && 'interval' in answer ? answer.interval : null
  if (kind === 'next') return { type: 'timeline.nextFound', after: at, next: interval }
  if (kind === 'preceding') return { type: 'timeline.precedingFound', before: at, preceding: interval }
  if (kind === 'previous') return { type: 'timeline.previousFound', before: at, previous: interval }
  const picked = intervalAt(context.intervals, at) ?? { type: 'gap', from: at, to: at + 1 }
  return { type: 'timeline.picked', at, interval: picked, nextFragment: interval }
}
