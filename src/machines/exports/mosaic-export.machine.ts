import { type ActorRefFrom, assign, enqueueActions, fromPromise, setup, type SnapshotFrom } from 'xstate'
import type { Reply } from '../../api/reply.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { FormReport } from '../form/form.events.ts'
import { notProvided } from '../not-provided.ts'
import {
  cutAtNow,
  exportFormMachine,
  type ExportFormRef,
  type ExportLimits,
  type ExportValues,
  notifyStarted,
  type SplitFacts,
} from './export-form.ts'
import { itemsOfRanges, nothingKept, withoutRange } from './export-ranges.ts'
import { type ExportCamera, isPreselected, itemsOf, type MosaicExportContext, rangesOf } from './mosaic-export-items.ts'

interface MosaicExportRequest {
  readonly range: TimeRange
  readonly now: number
  /** The zone that times are shown in. */
  readonly zone: string
  /** Each camera of the mosaic once. */
  readonly cameras: readonly ExportCamera[]
}

export type MosaicExportEvent =
  | ({ type: 'export.requested' } & MosaicExportRequest)
  /** The user wants to mark another range: the dialog closes, and the next one has the ranges and the input of this. */
  | { type: 'ranges.kept' }
  | { type: 'range.removed'; index: number }
  | { type: 'dialog.closed' }
  | FormReport<ExportValues, { id: string }>

/**
 * The dialog that exports the range between the in and out marks of several cameras of a mosaic as one file. A form
 * asks for the cameras and a note; once it is known what is recorded in the range, the cameras with recordings are
 * selected, and parts of a long range without recordings left out. More ranges can be added: those of a closed dialog
 * are kept with their cameras while the user selects the next one.
 */
export const mosaicExportMachine = setup({
  types: {
    context: {} as MosaicExportContext,
    events: {} as MosaicExportEvent,
    input: {} as { readonly limits: ExportLimits },
    children: {} as { form: 'form'; measureCameras: 'measureCameras' },
  },
  actors: {
    form: exportFormMachine,
    measureCameras: fromPromise<
      Readonly<Record<string, Reply<SplitFacts>>>,
      { readonly uids: readonly string[]; readonly range: TimeRange; readonly limits: ExportLimits }
    >(notProvided),
  },
  actions: {
    selectRange: assign(({ context: { kept } }, { range: asked, now, zone, cameras }: MosaicExportRequest) => {
      const { range, cutAt } = cutAtNow(asked, now)
      const selected = { ...range, askedTo: asked.to }
      return { cameras, zone, added: withoutRange(kept.ranges, selected), range: selected, cutAt, measurements: {} }
    }),
    removeRange: enqueueActions(({ context, self, enqueue }, { index }: { index: number }) => {
      const { added, kept } = context
      const form: ExportFormRef | undefined = self.getSnapshot().children.form
      if (form === undefined) return
      const ranges = rangesOf(context, form.getSnapshot().context.values)
      const removed = ranges[index]
      if (removed === undefined) return
      enqueue.assign({ kept: { ...kept, ranges: withoutRange(kept.ranges, removed) } })
      if (index < added.length) enqueue.assign({ added: withoutRange(added, removed) })
      else enqueue.assign({ range: null, cutAt: null })
      enqueue.sendTo(form, { type: 'form.rebased', values: { items: itemsOfRanges(withoutRange(ranges, removed)) } })
    }),
    /** A range whose cameras are all left out isn't kept. */
    keep: assign(({ context, self }) => {
      const form: ExportFormRef | undefined = self.getSnapshot().children.form
      if (form === undefined) return {}
      const { values } = form.getSnapshot().context
      const ranges = rangesOf(context, values).filter(({ items }) => items.length > 0)
      return { kept: { ranges, note: values.note, overlay: values.overlay } }
    }),
    dropKept: assign({ kept: nothingKept }),
    assignMeasurements: assign((_, { replies }: { replies: Readonly<Record<string, Reply<SplitFacts>>> }) => ({
      measurements: Object.fromEntries(
        Object.entries(replies).map(([uid, reply]) => [uid, reply.ok ? reply.value : reply.apiError]),
      ),
    })),
    /** Nobody has typed it: leaving doesn't ask. */
    chooseRecorded: enqueueActions(({ context, self, enqueue }) => {
      const { form } = self.getSnapshot().children
      const items = itemsOf(context, (uid) => isPreselected(context, uid))
      if (form !== undefined) enqueue.sendTo(form, { type: 'form.rebased', values: { items } })
    }),
    notifyStarted: enqueueActions(notifyStarted),
  },
}).createMachine({
  id: 'mosaicExport',
  context: ({ input: { limits } }) => ({
    limits,
    cameras: [],
    added: [],
    range: null,
    cutAt: null,
    zone: 'UTC',
    measurements: {},
    kept: nothingKept,
  }),
  initial: 'closed',
  states: {
    closed: {
      on: {
        'export.requested': { target: 'open', actions: { type: 'selectRange', params: ({ event }) => event } },
      },
    },
    open: {
      invoke: {
        id: 'form',
        src: 'form',
        input: ({ context }) => ({
          facts: context.limits,
          values: {
            items: itemsOfRanges(context.added),
            note: context.kept.note,
            overlay: context.kept.overlay,
            timezone: context.zone,
          },
        }),
      },
      on: { 'dialog.closed': 'closed', 'form.saved': { target: 'closed', actions: ['dropKept', 'notifyStarted'] } },
      initial: 'measuring',
      states: {
        measuring: {
          tags: 'busy',
          invoke: {
            id: 'measureCameras',
            src: 'measureCameras',
            input: ({ context: { range, cameras, limits } }) => ({
              uids: cameras.filter(({ mayExport }) => mayExport).map(({ uid }) => uid),
              range: { from: range?.from ?? 0, to: range?.to ?? 0 },
              limits,
            }),
            onDone: {
              target: 'choosing',
              actions: [
                { type: 'assignMeasurements', params: ({ event }) => ({ replies: event.output }) },
                'chooseRecorded',
              ],
            },
            onError: 'choosing',
          },
        },
        choosing: {
          on: {
            'ranges.kept': { target: '#mosaicExport.closed', actions: 'keep' },
            'range.removed': { actions: { type: 'removeRange', params: ({ event }) => event } },
          },
        },
      },
    },
  },
})

export type MosaicExportRef = ActorRefFrom<typeof mosaicExportMachine>

type Snapshot = SnapshotFrom<typeof mosaicExportMachine>
export const selectExportContext = ({ context }: Snapshot) => context
export const selectIsMeasuring = (snapshot: Snapshot) => snapshot.hasTag('busy')
export const selectMosaicExportForm = ({ children }: Snapshot) => children.form
