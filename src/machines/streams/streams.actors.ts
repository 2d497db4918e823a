import { fromPromise } from 'xstate'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { pollMachine } from '../polling/poll.machine.ts'
import { sidePanelMachine } from '../side-panel/side-panel.machine.ts'
import { bulkMachine } from './bulk.machine.ts'
import type { PagesReply, PagesRequest } from './pages.ts'
import { previewsMachine } from './previews.machine.ts'
import type { StatusChange } from '../stream/stream.events.ts'
import type { StoredView } from './streams.events.ts'

/** The actors of the streams page; src/wiring/streams/streams.ts provides the real ones. */
export const streamsActors = {
  /** Reads what the browser stored, and the size of its window. */
  readStored: fromPromise<StoredView>(notProvided),
  fetchPages: fromPromise<PagesReply, PagesRequest>(notProvided),
  /** Fetches pages again, mainly for the statuses of their streams (docs/wire.md §5.2). */
  refreshPages: fromPromise<{ generation: number; answers: PagesReply }, PagesRequest & { generation: number }>(
    notProvided,
  ),
  changeStatus: fromPromise<Reply<{ status: string }>, StatusChange>(notProvided),
  poll: pollMachine,
  previews: previewsMachine,
  bulk: bulkMachine,
  panel: sidePanelMachine,
}
