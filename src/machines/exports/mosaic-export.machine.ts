import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup, type SnapshotFrom } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { FormReport } from '../form/form.events.ts'
import { raiseToast } from '../notifications/toast.ts'
import { notProvided } from '../not-provided.ts'
import { bytesOf } from '../player/range-facts.ts'
import {
  cutAtNow,
  exportFormMachine,
  type ExportLimits,
  exportParts,
  type ExportValues,
  type SplitFacts,
} from './export-form.ts'

export interface ExportCamera {
  readonly uid: string
  readonly name: string
  /** The user has the right to export its archive. */
  readonly mayExport: boolean
  /** Bits per second; null if unknown. */
  readonly bitrate: number | null
}

/** By uid: what is recorded of a camera in the range, or why that isn't known. */
export type Measurements = Readonly<Record<string, SplitFacts | ApiError>>

export interface MosaicExportInput {
  readonly range: TimeRange
  readonly now: number
  /** Each camera of the mosaic once. */
  readonly cameras: readonly ExportCamera[]
  readonly limits: ExportLimits
}

type Event = { type: 'dialog.closed' } | FormReport<ExportValues, { id: string }>

interface Context extends Omit<MosaicExportInput, 'now'> {
  /** Where the range is cut because its end is in the future; null if it isn't. */
  cutAt: number | null
  measurements: Measurements
}

const isRecorded = (measured: SplitFacts | ApiError | undefined): boolean =>
  measured !== undefined && 'recordedMs' in measured && measured.recordedMs > 0

/** The parts of the range that are exported of a camera: those with recordings; all if these aren't known. */
const partsOfCamera = ({ range, limits, measurements }: Context, uid: string): readonly TimeRange[] => {
  const measured = measurements[uid]
  return measured !== undefined && 'parts' in measured ? measured.parts : exportParts(range, limits)
}

/** The items of an export of the chosen cameras, in the order of the mosaic. */
export const itemsOf = (context: Context, isChosen: (uid: string) => boolean): ExportValues['items'] =>
  context.cameras
    .filter(({ uid }) => isChosen(uid))
    .flatMap(({ uid }) => partsOfCamera(context, uid).map((part) => ({ uid, ...part })))

/**
 * The dialog that exports the range between the in and out marks of several cameras of a mosaic as one file. A form
 * asks for the cameras and a note; once it is known what is recorded in the range, the cameras with recordings are
 * selected, and parts of a long range without recordings left out. The mosaic's machine starts this one with a range,
 * and stops it after `export.closed`.
 */
export const mosaicExportMachine = setup({
  types: {
    context: {} as Context,
    events: {} as Event,
    input: {} as MosaicExportInput,
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
    assignMeasurements: assign((_, { replies }: { replies: Readonly<Record<string, Reply<SplitFacts>>> }) => ({
      measurements: Object.fromEntries(
        Object.entries(replies).map(([uid, reply]) => [uid, reply.ok ? reply.value : reply.apiError]),
      ),
    })),
    /** Nobody has typed it: leaving doesn't ask. */
    chooseRecorded: enqueueActions(({ context, self, enqueue }) => {
      const { form } = self.getSnapshot().children
      const items = itemsOf(context, (uid) => isRecorded(context.measurements[uid]))
      if (form !== undefined) enqueue.sendTo(form, { type: 'form.rebased', values: { items } })
    }),
    notifyStarted: enqueueActions(({ enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'exportStarted' })
    }),
    notifyClosed: sendParent({ type: 'export.closed' }),
  },
}).createMachine({
  id: 'mosaicExport',
  context: ({ input: { range, now, cameras, limits } }) => ({
    ...cutAtNow(range, now),
    cameras,
    limits,
    measurements: {},
  }),
  initial: 'open',
  states: {
    open: {
      invoke: {
        id: 'form',
        src: 'form',
        input: ({ context }) => ({ facts: context.limits, values: { items: [], note: '', overlay: false } }),
      },
      on: { 'dialog.closed': 'closed', 'form.saved': { target: 'closed', actions: 'notifyStarted' } },
      initial: 'measuring',
      states: {
        measuring: {
          tags: 'busy',
          invoke: {
            id: 'measureCameras',
            src: 'measureCameras',
            input: ({ context: { range, cameras, limits } }) => ({
              uids: cameras.filter(({ mayExport }) => mayExport).map(({ uid }) => uid),
              range,
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
        choosing: {},
      },
    },
    closed: { entry: 'notifyClosed' },
  },
})

export type MosaicExportRef = ActorRefFrom<typeof mosaicExportMachine>

type Snapshot = SnapshotFrom<typeof mosaicExportMachine>
export const selectExportContext = ({ context }: Snapshot) => context
export const selectIsMeasuring = (snapshot: Snapshot) => snapshot.hasTag('busy')
export const selectMosaicExportForm = ({ children }: Snapshot) => children.form

export type CameraState = 'forbidden' | 'measuring' | 'unknown' | 'empty' | 'recorded'

/** Whether a camera can be exported; `unknown`: its recordings could not be measured. */
export function cameraState(
  { mayExport }: ExportCamera,
  measured: SplitFacts | ApiError | undefined,
  isMeasuring: boolean,
): CameraState {
  if (!mayExport) return 'forbidden'
  if (isMeasuring) return 'measuring'
  if (measured === undefined || !('recordedMs' in measured)) return 'unknown'
  return measured.recordedMs > 0 ? 'recorded' : 'empty'
}

/** The approximate size of the items in bytes; null if that of any is unknown, or without items. */
export function bytesOfItems(
  { cameras, measurements }: Pick<Context, 'cameras' | 'measurements'>,
  { items }: ExportValues,
): number | null {
  const sizes = [...new Set(items.map(({ uid }) => uid))].map((uid) => {
    const measured = measurements[uid]
    const bitrate = cameras.find((camera) => camera.uid === uid)?.bitrate ?? null
    return measured !== undefined && 'recordedMs' in measured ? bytesOf(measured, bitrate) : null
  })
  return sizes.length === 0 ? null : sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0)
}
