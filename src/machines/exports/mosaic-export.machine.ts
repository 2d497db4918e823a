import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup, type SnapshotFrom } from 'xstate'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { raiseToast } from '../notifications/toast.ts'
import { notProvided } from '../not-provided.ts'
import { bytesOf, type Facts } from '../player/facts.ts'
import { exportFieldOfCode, type ExportValues } from './export-draft.machine.ts'

export interface ExportCamera {
  readonly uid: string
  readonly name: string
  /** The user has the right to export its archive. */
  readonly mayExport: boolean
  /** Bits per second; null if unknown. */
  readonly bitrate: number | null
}

/** By uid: what is recorded of a camera in the range, or why that isn't known. */
export type Measurements = Readonly<Record<string, Facts | ApiError>>

export interface ExportLimits {
  /** The longest range of one camera. */
  readonly maxMs: number
  /** The longest range that one request for recorded ranges may ask for; longer ranges take several requests. */
  readonly chunkMs: number
  /** The most cameras in one export. */
  readonly maxItems: number
}

export interface MosaicExportInput {
  readonly range: TimeRange
  /** Each camera of the mosaic once. */
  readonly cameras: readonly ExportCamera[]
  readonly limits: ExportLimits
}

type MosaicExportFacts = Pick<ExportLimits, 'maxMs' | 'maxItems'>

/** Error codes of the form's field `items`; the dialog has the texts. */
export type ExportProblem = 'rangeTooLong' | 'noCamera' | 'tooManyCameras'

export function problemOf({ items }: ExportValues, { maxMs, maxItems }: MosaicExportFacts): ExportProblem | null {
  if (items.some(({ from, to }) => to - from > maxMs)) return 'rangeTooLong'
  if (items.length === 0) return 'noCamera'
  return items.length > maxItems ? 'tooManyCameras' : null
}

export const mosaicExportFormMachine = formMachineOf<ExportValues, { id: string }, MosaicExportFacts>({
  fieldOfCode: exportFieldOfCode,
  validate: (values, _, facts) => {
    const problem = problemOf(values, facts)
    return problem === null ? {} : { items: problem }
  },
})

type Event = { type: 'dialog.closed' } | FormReport<ExportValues, { id: string }>

interface Context extends MosaicExportInput {
  measurements: Measurements
}

const isRecorded = (measured: Facts | ApiError | undefined): boolean =>
  measured !== undefined && 'recordedMs' in measured && measured.recordedMs > 0

/** The items of an export of the chosen cameras, in the order of the mosaic. */
export const itemsOf = (
  { cameras, range }: Pick<Context, 'cameras' | 'range'>,
  isChosen: (uid: string) => boolean,
): ExportValues['items'] => cameras.filter(({ uid }) => isChosen(uid)).map(({ uid }) => ({ uid, ...range }))

/**
 * The dialog that exports the range between the in and out marks of several cameras of a mosaic as one file. A form
 * asks for the cameras and a note; once it is known what is recorded in the range, the cameras with recordings are
 * selected. The mosaic's machine starts this one with a range, and stops it after `export.closed`.
 */
export const mosaicExportMachine = setup({
  types: {
    context: {} as Context,
    events: {} as Event,
    input: {} as MosaicExportInput,
    children: {} as { form: 'form'; measureCameras: 'measureCameras' },
  },
  actors: {
    form: mosaicExportFormMachine,
    measureCameras: fromPromise<
      Readonly<Record<string, Reply<Facts>>>,
      TimeRange & { readonly uids: readonly string[]; readonly chunkMs: number }
    >(notProvided),
  },
  actions: {
    assignMeasurements: assign((_, { replies }: { replies: Readonly<Record<string, Reply<Facts>>> }) => ({
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
  context: ({ input }) => ({ ...input, measurements: {} }),
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
              ...range,
              uids: cameras.filter(({ mayExport }) => mayExport).map(({ uid }) => uid),
              chunkMs: limits.chunkMs,
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
  measured: Facts | ApiError | undefined,
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
  const sizes = items.map(({ uid }) => {
    const measured = measurements[uid]
    const bitrate = cameras.find((camera) => camera.uid === uid)?.bitrate ?? null
    return measured !== undefined && 'recordedMs' in measured ? bytesOf(measured, bitrate) : null
  })
  return sizes.length === 0 ? null : sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0)
}
