import { call, callForBlob, pathSegment } from '../call.ts'
import { EventPage } from '../contract/events.ts'
import { iso } from './instant.ts'

/** `from` and `to` in epoch milliseconds; null, '' and an empty list don't filter. */
export interface EventFilter {
  page: number
  from: number | null
  to: number | null
  streamIds: readonly string[]
  label: string
  type: string
}

/** Events of all streams with `canViewArchive`, newest first; only with the feature `events`. */
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

/** The picture that a detector sent with an event; only with the feature `event-snapshots`. */
export const getEventSnapshot = (streamId: string, id: string, signal?: AbortSignal) =>
  callForBlob({ path: `/v1/stream/${pathSegment(streamId)}/annotation/${pathSegment(id)}/snapshot`, signal })
