import { call } from '../call.ts'
import { EventPage } from '../contract/events.ts'
import { iso } from './instant.ts'

/** Null: without a bound. Empty text and an empty list: whatever it is. */
export interface EventFilter {
  page: number
  from: number | null
  to: number | null
  streamIds: readonly string[]
  label: string
  type: string
}

/** Events of all streams whose archive one may watch, newest first; only where the feature `events` is announced. */
export const searchEvents = ({ page, from, to, streamIds, label, type }: EventFilter, signal?: AbortSignal) =>
  call(EventPage, {
    path: '/v1/events/search',
    query: {
      page,
      from: iso(from),
      to: iso(to),
      streamId: streamIds.length === 0 ? undefined : streamIds,
      label: label || undefined,
      type: type || undefined,
    },
    signal,
  })
