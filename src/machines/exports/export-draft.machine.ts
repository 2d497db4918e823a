import { assign, enqueueActions, setup } from 'xstate'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { besideField } from '../form/refused-fields.ts'
import { raiseToast } from '../notifications/toast.ts'

export interface ExportValues {
  /** Named as on the wire, because the server reports errors by paths such as `items.0.startTime`. */
  items: readonly { uid: string; from: number; to: number }[]
  note: string
  overlay: boolean
}

/** Errors of an export are shown beside the note, the only text field of its forms. `''`: unknown errors. */
export const exportFieldOfCode = besideField('note', [
  'NoResponse',
  'NotFound',
  'Forbidden',
  'LicenseExpired',
  'QuotaReached',
  'TimeRangeIsTooLong',
  'InternalServerError',
  'Unavailable',
  '',
])

export const exportFormMachine = formMachineOf<ExportValues, { id: string }>({ fieldOfCode: exportFieldOfCode })

export type ExportDraftEvent =
  | { type: 'export.requested'; range: TimeRange }
  | { type: 'dialog.closed' }
  | FormReport<ExportValues, { id: string }>

interface Context {
  uid: string
  range: TimeRange
}

/** Requests an export of the range selected in a player, with a note from a dialog. The server then makes the file. */
export const exportDraftMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ExportDraftEvent,
    input: {} as { uid: string },
    children: {} as { form: 'form' },
  },
  actors: { form: exportFormMachine },
  actions: {
    notifyStarted: enqueueActions(({ enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'exportStarted' })
    }),
  },
}).createMachine({
  id: 'exportDraft',
  context: ({ input }) => ({ uid: input.uid, range: { from: 0, to: 0 } }),
  initial: 'closed',
  states: {
    closed: {
      on: { 'export.requested': { target: 'drafting', actions: assign({ range: ({ event }) => event.range }) } },
    },
    drafting: {
      invoke: {
        id: 'form',
        src: 'form',
        input: ({ context: { uid, range } }) => ({
          facts: null,
          values: { items: [{ uid, ...range }], note: '', overlay: false },
        }),
      },
      on: { 'dialog.closed': 'closed', 'form.saved': { target: 'closed', actions: 'notifyStarted' } },
    },
  },
})
