import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Reply } from '../../api/reply.ts'
import type { FormReport } from '../form/form.events.ts'
import { raiseToast } from '../notifications/toast.ts'
import { notProvided } from '../not-provided.ts'
import {
  exportFormMachine,
  type ExportLimits,
  exportParts,
  type ExportValues,
  type SplitFacts,
} from './export-form.ts'

export type ExportDraftEvent =
  | { type: 'export.requested'; range: TimeRange }
  | { type: 'dialog.closed' }
  | FormReport<ExportValues, { id: string }>

export interface ExportDraftInput {
  readonly uid: string
  readonly limits: ExportLimits
}

interface Context extends ExportDraftInput {
  range: TimeRange
  /** The parts of the range that are exported. */
  parts: readonly TimeRange[]
}

const itemsOf = ({ uid, parts }: Context): ExportValues['items'] => parts.map((part) => ({ uid, ...part }))

/**
 * Requests an export of the range selected in a player, with a note from a dialog. The server then makes the file. Of a
 * range that is split into parts, those without recordings are left out once it is known which these are.
 */
export const exportDraftMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ExportDraftEvent,
    input: {} as ExportDraftInput,
    children: {} as { form: 'form'; measureParts: 'measureParts' },
  },
  actors: {
    form: exportFormMachine,
    measureParts: fromPromise<Reply<SplitFacts>, { uid: string; range: TimeRange; limits: ExportLimits }>(notProvided),
  },
  actions: {
    assignRange: assign(({ context: { limits } }, { range }: { range: TimeRange }) => ({
      range,
      parts: exportParts(range, limits),
    })),
    assignParts: assign(({ context: { parts } }, { reply }: { reply: Reply<SplitFacts> }) => ({
      parts: reply.ok ? reply.value.parts : parts,
    })),
    /** Nobody has typed it: leaving doesn't ask. */
    updateItems: enqueueActions(({ context, self, enqueue }) => {
      const { form } = self.getSnapshot().children
      if (form !== undefined) enqueue.sendTo(form, { type: 'form.rebased', values: { items: itemsOf(context) } })
    }),
    notifyStarted: enqueueActions(({ enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'exportStarted' })
    }),
  },
  guards: { isSplit: ({ context: { parts } }) => parts.length > 1 },
}).createMachine({
  id: 'exportDraft',
  context: ({ input: { uid, limits } }) => ({ uid, limits, range: { from: 0, to: 0 }, parts: [] }),
  initial: 'closed',
  states: {
    closed: {
      on: {
        'export.requested': {
          target: 'drafting',
          actions: { type: 'assignRange', params: ({ event }) => event },
        },
      },
    },
    drafting: {
      invoke: {
        id: 'form',
        src: 'form',
        input: ({ context }) => ({
          facts: context.limits,
          values: { items: itemsOf(context), note: '', overlay: false },
        }),
      },
      on: { 'dialog.closed': 'closed', 'form.saved': { target: 'closed', actions: 'notifyStarted' } },
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'isSplit', target: 'measuring' }, { target: 'ready' }] },
        measuring: {
          tags: 'busy',
          invoke: {
            id: 'measureParts',
            src: 'measureParts',
            input: ({ context: { uid, range, limits } }) => ({ uid, range, limits }),
            onDone: {
              target: 'ready',
              actions: [{ type: 'assignParts', params: ({ event }) => ({ reply: event.output }) }, 'updateItems'],
            },
            onError: 'ready',
          },
        },
        ready: {},
      },
    },
  },
})
