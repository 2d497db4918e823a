import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Reply } from '../../api/reply.ts'
import type { FormReport } from '../form/form.events.ts'
import { notProvided } from '../not-provided.ts'
import {
  cutAtNow,
  exportFormMachine,
  type ExportFormRef,
  type ExportLimits,
  exportParts,
  type ExportValues,
  notifyStarted,
  type SplitFacts,
} from './export-form.ts'
import { type DraftRange, itemsOfRanges, type KeptDraft, nothingKept, withoutRange } from './export-ranges.ts'

export type ExportDraftEvent =
  | { type: 'export.requested'; range: TimeRange; now: number; zone: string }
  /** The user wants to mark another range: the dialog closes, and the next one has the ranges and the input of this. */
  | { type: 'ranges.kept' }
  | { type: 'range.removed'; index: number }
  | { type: 'dialog.closed' }
  | FormReport<ExportValues, { id: string }>

interface ExportDraftInput {
  readonly uid: string
  readonly limits: ExportLimits
}

interface Context extends ExportDraftInput {
  /** Those of the dialog. The selected range is the last one. */
  ranges: readonly DraftRange[]
  /** Where the selected range is cut because its end is in the future; null if it isn't. */
  cutAt: number | null
  /** The zone that times are shown in. */
  zone: string
  kept: KeptDraft
}

const noRange: TimeRange = { from: 0, to: 0 }

const itemsOf = (uid: string, parts: readonly TimeRange[]) => parts.map((part) => ({ uid, ...part }))

/**
 * Requests an export of the range selected in a player, with a note from a dialog. The server then makes the file. Of a
 * range that is split into parts, those without recordings are left out once it is known which these are. More ranges
 * can be added: those of a closed dialog are kept while the user selects the next one.
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
    addRange: assign(
      ({ context: { uid, kept, limits } }, requested: { range: TimeRange; now: number; zone: string }) => {
        const { range, cutAt } = cutAtNow(requested.range, requested.now)
        const selected = { ...range, askedTo: requested.range.to, items: itemsOf(uid, exportParts(range, limits)) }
        return { ranges: [...withoutRange(kept.ranges, selected), selected], cutAt, zone: requested.zone }
      },
    ),
    removeRange: assign(({ context: { ranges, kept, cutAt } }, { index }: { index: number }) => {
      const removed = ranges[index]
      if (removed === undefined) return {}
      return {
        ranges: withoutRange(ranges, removed),
        kept: { ...kept, ranges: withoutRange(kept.ranges, removed) },
        cutAt: removed.to === cutAt ? null : cutAt,
      }
    }),
    assignParts: assign(({ context: { uid, ranges } }, { reply }: { reply: Reply<SplitFacts> }) => {
      const last = ranges.at(-1)
      if (!reply.ok || last === undefined) return {}
      return { ranges: [...ranges.slice(0, -1), { ...last, items: itemsOf(uid, reply.value.parts) }] }
    }),
    keep: assign(({ context: { ranges, kept }, self }) => {
      const form: ExportFormRef | undefined = self.getSnapshot().children.form
      const { note, overlay } = form?.getSnapshot().context.values ?? kept
      return { kept: { ranges, note, overlay } }
    }),
    dropKept: assign({ kept: nothingKept }),
    /** Nobody has typed it: leaving doesn't ask. */
    updateItems: enqueueActions(({ context, self, enqueue }) => {
      const { form } = self.getSnapshot().children
      if (form !== undefined)
        enqueue.sendTo(form, { type: 'form.rebased', values: { items: itemsOfRanges(context.ranges) } })
    }),
    notifyStarted: enqueueActions(notifyStarted),
  },
  guards: { isSplit: ({ context: { ranges } }) => (ranges.at(-1)?.items.length ?? 0) > 1 },
}).createMachine({
  id: 'exportDraft',
  context: ({ input: { uid, limits } }) => ({ uid, limits, ranges: [], cutAt: null, zone: 'UTC', kept: nothingKept }),
  initial: 'closed',
  states: {
    closed: {
      on: {
        'export.requested': {
          target: 'drafting',
          actions: { type: 'addRange', params: ({ event }) => event },
        },
      },
    },
    drafting: {
      invoke: {
        id: 'form',
        src: 'form',
        input: ({ context }) => ({
          facts: context.limits,
          values: {
            items: itemsOfRanges(context.ranges),
            note: context.kept.note,
            overlay: context.kept.overlay,
            timezone: context.zone,
          },
        }),
      },
      on: { 'dialog.closed': 'closed', 'form.saved': { target: 'closed', actions: ['dropKept', 'notifyStarted'] } },
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'isSplit', target: 'measuring' }, { target: 'ready' }] },
        measuring: {
          tags: 'busy',
          invoke: {
            id: 'measureParts',
            src: 'measureParts',
            input: ({ context: { uid, ranges, limits } }) => ({ uid, range: ranges.at(-1) ?? noRange, limits }),
            onDone: {
              target: 'ready',
              actions: [{ type: 'assignParts', params: ({ event }) => ({ reply: event.output }) }, 'updateItems'],
            },
            onError: 'ready',
          },
        },
        ready: {
          on: {
            'ranges.kept': { target: '#exportDraft.closed', actions: 'keep' },
            'range.removed': {
              actions: [{ type: 'removeRange', params: ({ event }) => event }, 'updateItems'],
            },
          },
        },
      },
    },
  },
})
