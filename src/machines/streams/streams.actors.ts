import { fromCallback, fromPromise } from 'xstate'
import type { StreamsPage } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { sidePanelMachine } from '../side-panel/side-panel.machine.ts'
import type { StreamsQuery } from './preferences.ts'
import { bulkMachine } from './bulk.machine.ts'
import { previewsMachine } from './previews.machine.ts'
import type { Recalled, StatusChange } from './streams.events.ts'

export interface PagesRequest {
  query: StreamsQuery
  pages: readonly number[]
}

export type PagesReply = readonly { page: number; reply: Reply<StreamsPage> }[]

/** The ways out of the streams page; src/wiring/streams.ts provides the real ones. */
export const streamsActors = {
  recall: fromPromise<Recalled>(notProvided),
  fetchPages: fromPromise<PagesReply, PagesRequest>(notProvided),
  /** The same pages asked for as the list's status refresh (spec.md §7). */
  refreshPages: fromPromise<{ generation: number; answers: PagesReply }, PagesRequest & { generation: number }>(notProvided),
  changeStatus: fromPromise<Reply<{ status: string }>, StatusChange>(notProvided),
  visibility: fromCallback(() => undefined),
  previews: previewsMachine,
  bulk: bulkMachine,
  panel: sidePanelMachine,
}
