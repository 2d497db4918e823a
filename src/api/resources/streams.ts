import { call } from '../call.ts'
import { StreamsPage } from '../contract/stream.ts'

/** The query of GET /v1/streams without the page (docs/wire.md §5.2). */
interface StreamsRequest {
  groupType: 'none' | 'tag'
  sortType: 'date' | 'name' | 'status'
  isOnlyAvailable: boolean
  searchingValues: readonly string[]
}

/** One page of the streams that the caller may see; `page` counts from 1. */
export const getStreams = ({ isOnlyAvailable, ...request }: StreamsRequest, page: number, signal?: AbortSignal) =>
  call(StreamsPage, { path: '/v1/streams', query: { page, ...request, onlyAvailable: isOnlyAvailable }, signal })

/** The same page for the status refresh, which sends the filter as `isOnlyAvailable` (docs/wire.md §5.2). */
export const refreshStreams = ({ isOnlyAvailable, ...request }: StreamsRequest, page: number, signal?: AbortSignal) =>
  call(StreamsPage, { path: '/v1/streams', query: { page, ...request, isOnlyAvailable }, signal })
