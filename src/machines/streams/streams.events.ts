import type { ApiError } from '../../api/reply.ts'
import type { Address } from '../app/app.events.ts'
import type { PollReport } from '../polling/poll.machine.ts'
import type { SidePanelReport } from '../side-panel/side-panel.machine.ts'
import type { StatusChange } from '../stream/stream.events.ts'
import type { BulkReport } from './bulk.events.ts'
import type { Viewport } from './layout.ts'
import type { PagingFacts } from './paging-states.ts'
import type { ListView, ListViewEvent } from './preferences.ts'

/** The stored view, not validated yet, and the size of the window in CSS px. */
export interface StoredView {
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
  /** The query of the browser's address. */
  search: string
  /** The size of the window in CSS px when the page opened. */
  screen: { width: number; height: number }
  /** The visible part of the list. */
  viewport: Viewport
  /** The number of the query, by which the answer to an earlier one is recognized. */
  generation: number
  refreshApiError: ApiError | null
  /** The numbers of the refreshed pages, the one refreshed longest ago first. */
  refreshed: readonly number[]
  /** Requests to pause or resume, the current one first. */
  changes: readonly StatusChange[]
}
