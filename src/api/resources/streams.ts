import { call } from '../call.ts'
import { StreamsPage } from '../contract/stream.ts'

/** What is asked of GET /v1/streams beside the page (docs/wire.md §5.2). */
interface StreamsRequest {
  groupType: 'none' | 'tag'
  sortType: 'date' | 'name' | 'status'
  isOnlyAvailable: boolean
  searchingValues: readonly string[]
}

/** One page of the streams that one may see; pages count from 1. */
export const getStreams = ({ isOnlyAvailable, ...request }: StreamsRequest, page: number, signal?: AbortSignal) =>
  call(StreamsPage, { path: '/v1/streams', query: { page, ...request, onlyAvailable: isOnlyAvailable }, signal })

/** The same page for its statuses: the list's status refresh names the filter otherwise (docs/wire.md §5.2). */
export const refreshStreams = ({ isOnlyAvailable, ...request }: StreamsRequest, page: number, signal?: AbortSignal) =>
  call(StreamsPage, { path: '/v1/streams', query: { page, ...request, isOnlyAvailable }, signal })
