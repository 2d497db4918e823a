import type { TimeRange } from '../../api/contract/time-range.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { RangeChunk } from './chunks.ts'

/** `kind` identifies the machine in its reports. */
export type ChunksInput = {
  readonly kind: 'ranges' | 'annotations'
  readonly streamId: string
  /** The range of one request, which is a cell of the grid; the server may require a shorter one. */
  readonly lengthMs: number
  readonly period: TimeRange
  /** In px. */
  readonly width: number
  readonly now: number
  /** Whether a refresh requests the whole period again; by default only what can still grow. */
  readonly isRefreshedWhole?: boolean
}

export type ChunksContext<C> = ChunksInput & {
  /** The moment to load first. */
  readonly priorityAt: number | null
  readonly abandonedAt: number | null
  /** The cells of the request in progress. */
  readonly batch: readonly TimeRange[]
  readonly chunks: readonly RangeChunk<C>[]
  /** Failures in a row. */
  readonly attempts: number
  readonly apiError: ApiError | null
}

export type ChunksEvent =
  /** The period that the timeline shows, and its width in px. */
  | { readonly type: 'chunks.requested'; readonly period: TimeRange; readonly width: number; readonly now: number }
  /**
   * The moment, in the period or not, is loaded first; again if it was in the future when it was loaded. With
   * `isUrgent` after a failure without its pause.
   */
  | { readonly type: 'chunks.prioritized'; readonly at: number; readonly now?: number; readonly isUrgent?: boolean }
  /** The chunks that `isOutdated` selects are requested again. */
  | { readonly type: 'chunks.outdated' }
  /** The user may have got back the right that was missing. */
  | { readonly type: 'chunks.permitted' }
  /** The present, about once a second. */
  | { readonly type: 'chunks.ticked'; readonly now: number }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/**
 * Sent to the parent after every change; `apiError` is from the last request. `abandonedAt`: the prioritized moment, if
 * the last request was the last attempt to load it.
 */
export type ChunksReport<C> = {
  readonly type: 'chunks.changed'
  readonly kind: ChunksInput['kind']
  readonly chunks: readonly RangeChunk<C>[]
  readonly apiError: ApiError | null
  readonly abandonedAt: number | null
}

export type ChunksAnswer<V> = readonly { readonly cell: TimeRange; readonly reply: Reply<V> }[]
