import { fromPromise } from 'xstate'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { pollMachine } from '../polling/poll.machine.ts'
import { sidePanelMachine } from '../side-panel/side-panel.machine.ts'
import { bulkMachine } from './bulk.machine.ts'
import type { PagesReply, PagesRequest } from './pages.ts'
import { previewsMachine } from './previews.machine.ts'
import type { StatusChange } from '../stream/stream.events.ts'
import type { Recalled } from './streams.events.ts'

/** The ways out of the streams page; src/wiring/streams/streams.ts provides the real ones. */
export const streamsActors = {
  recall: fromPromise<Recalled>(notProvided),
  fetchPages: fromPromise<PagesReply, PagesRequest>(notProvided),
  /** The same pages asked for as the list's status refresh (docs/wire.md §5.2). */
  refreshPages: fromPromise<{ generation: number; answers: PagesReply }, PagesRequest & { generation: number }>(
    notProvided,
  ),
  changeStatus: fromPromise<Reply<{ status: string }>, StatusChange>(notProvided),
  poll: pollMachine,
  previews: previewsMachine,
  bulk: bulkMachine,
  panel: sidePanelMachine,
}
