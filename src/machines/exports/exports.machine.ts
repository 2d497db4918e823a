import { type ActorRefFrom, assign, enqueueActions, sendParent, setup } from 'xstate'
import type { Export } from '../../api/contract/exports.ts'
import type { PageInput } from '../app/app.events.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { exportCheckMachine } from './export-check.machine.ts'

export type ListedExport = Export & { readonly downloadUrl: string }

export const isInProgress = ({ status }: Export): boolean => status === 'queued' || status === 'running'

/** `publicKey` verifies the server's signatures; times are shown in `zone`, an IANA name. */
export interface ExportList {
  readonly items: readonly ListedExport[]
  readonly publicKey: string
  readonly zone: string
}

/** The query is the server's time zone, in which users may have times shown. The command deletes an export. */
export const exportListMachine = resourceMachineOf<ExportList, string, { id: string }>({
  pollMs: 2000,
  queryOf: ({ settings }) => settings.timezone,
  isSubject: true,
})

export type ExportsEvent =
  | { type: 'delete.requested'; item: Export }
  | { type: 'delete.confirmed' }
  | { type: 'delete.cancelled' }
  | { type: 'page.missing' }

interface Context {
  list: ActorRefFrom<typeof exportListMachine>
  check: ActorRefFrom<typeof exportCheckMachine>
  /** The export that the dialog deletes or cancels. */
  chosen: Export | null
}

/**
 * The exports page: the list of exports, polled while the page is open; deleting or cancelling one is confirmed first.
 * A second part checks the signature of an exported file.
 */
export const exportsMachine = setup({
  types: { context: {} as Context, events: {} as ExportsEvent, input: {} as PageInput },
  actors: { list: exportListMachine, check: exportCheckMachine },
  actions: {
    notifyMissing: sendParent({ type: 'page.missing' }),
    remove: enqueueActions(({ context: { list, chosen }, enqueue }) => {
      if (chosen !== null) enqueue.sendTo(list, { type: 'command.requested', command: { id: chosen.id } })
    }),
  },
}).createMachine({
  id: 'exports',
  context: ({ input, spawn }) => ({
    list: spawn('list', { id: 'list', input }),
    check: spawn('check', { id: 'check' }),
    chosen: null,
  }),
  on: { 'page.missing': { actions: 'notifyMissing' } },
  initial: 'closed',
  states: {
    closed: {
      on: { 'delete.requested': { target: 'confirming', actions: assign({ chosen: ({ event }) => event.item }) } },
    },
    confirming: {
      on: { 'delete.confirmed': { target: 'closed', actions: 'remove' }, 'delete.cancelled': 'closed' },
    },
  },
})
