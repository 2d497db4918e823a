import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { canZoomIn, canZoomOut, lengthOf } from './timeline-geometry.ts'
import { stillStep } from './stills.ts'
import type { timelineMachine } from './timeline.machine.ts'

export type TimelineRef = ActorRefFrom<typeof timelineMachine>
export type TimelineSnapshot = SnapshotFrom<typeof timelineMachine>

export const selectPeriod = ({ context }: TimelineSnapshot) => context.period
export const selectZone = ({ context }: TimelineSnapshot) => context.zone
/** The known intervals without the live one; the list stays the same object until it changes. */
export const selectRecorded = ({ context }: TimelineSnapshot) => context.recorded
export const selectAnnotations = ({ context }: TimelineSnapshot) => context.annotations
export const selectCoverage = ({ context }: TimelineSnapshot) => context.coverage
export const selectCanZoomIn = ({ context }: TimelineSnapshot) => canZoomIn(context.period)
export const selectCanZoomOut = ({ context: { period, bounds } }: TimelineSnapshot) =>
  canZoomOut(period) && (bounds === null || lengthOf(period) < lengthOf(bounds))
/** Whether the period is short enough for stills: a minute must be as wide as one. */
export const selectHasStills = ({ context }: TimelineSnapshot) => stillStep(context.period, context.width) !== null
export const selectIsSearching = (snapshot: TimelineSnapshot) => snapshot.matches('searching')
export const selectIsLoading = ({ context }: TimelineSnapshot) =>
  context.recorded.length === 0 && context.rangesApiError === null
/** Why the user may not view the archive; null if they may. */
export const selectForbiddenCode = ({ context: { rangesApiError } }: TimelineSnapshot) =>
  rangesApiError?.status === 403 ? rangesApiError.code || 'Forbidden' : null
export const selectAnnotationsForbiddenCode = ({ context: { annotationsApiError } }: TimelineSnapshot) =>
  annotationsApiError?.status === 403 ? annotationsApiError.code || 'Forbidden' : null
/** Whether requests for ranges or annotations fail and are retried; what is known stays. */
export const selectIsFailing = ({ context: { rangesApiError, annotationsApiError } }: TimelineSnapshot) =>
  [rangesApiError, annotationsApiError].some((apiError) => apiError !== null && apiError.status !== 403)
