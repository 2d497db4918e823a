import type { ApiError } from '../../api/reply.ts'
import type { Address } from '../app/app.events.ts'
import type { PollReport } from '../polling/poll.machine.ts'
import type { SidePanelReport } from '../side-panel/side-panel.machine.ts'
import type { StatusChange } from '../stream/stream.events.ts'
import type { BulkReport } from './bulk.events.ts'
import type { Viewport } from './layout.ts'
import type { PagingFacts } from './paging-states.ts'
import type { ListView, ListViewEvent } from './preferences.ts'

/** What this browser kept, as it was stored, and the size of its window. */
export interface Recalled {
  stored: unknown
  storedSort: unknown
  width: number
  height: number
}

export type StreamsEvent =
  | ListViewEvent
  | SidePanelReport
  | BulkReport
  | { type: 'list.viewed'; viewport: Viewport }
  | { type: 'list.retried' }
  | { type: 'stream.pauseRequested'; uid: string }
  | { type: 'stream.resumeRequested'; uid: string }
  | { type: 'address.changed'; address: Address }
  | PollReport

export interface StreamsContext extends PagingFacts {
  view: ListView
  search: string
  screen: { width: number; height: number }
  viewport: Viewport
  /** Counts the queries, so that an answer to an earlier one is known as such. */
  generation: number
  refreshApiError: ApiError | null
  /** The pages that were refreshed, that of longest ago first. */
  refreshed: readonly number[]
  changes: readonly StatusChange[]
}
