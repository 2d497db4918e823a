import type { ApiError } from '../../api/reply.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { bytesOf } from '../player/range-facts.ts'
import { type ExportLimits, exportParts, type ExportValues, type SplitFacts } from './export-form.ts'
import { areSame, type DraftRange, itemsOfRanges, type KeptDraft, type SelectedRange } from './export-ranges.ts'

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

/** A range with its cameras, and about how many bytes it has; null if that isn't known. */
interface MosaicRange extends DraftRange {
  readonly bytes: number | null
}

export interface MosaicExportContext {
  readonly limits: ExportLimits
  cameras: readonly ExportCamera[]
  /** The ranges of the dialog that were added before. */
  added: readonly MosaicRange[]
  /** The selected range; null once it is removed from the dialog. */
  range: SelectedRange | null
  /** Where the selected range is cut because its end is in the future; null if it isn't. */
  cutAt: number | null
  /** The zone that times are shown in. */
  zone: string
  /** Of the selected range. */
  measurements: Measurements
  kept: KeptDraft<MosaicRange>
}

const isRecorded = (measured: SplitFacts | ApiError | undefined): boolean =>
  measured !== undefined && 'recordedMs' in measured && measured.recordedMs > 0

/** The parts of the range that are exported of a camera: those with recordings; all if these aren't known. */
const partsOfCamera = (
  { limits, measurements }: MosaicExportContext,
  range: TimeRange,
  uid: string,
): readonly TimeRange[] => {
  const measured = measurements[uid]
  return measured !== undefined && 'parts' in measured ? measured.parts : exportParts(range, limits)
}

/** The items of the ranges added before, then those of the selected one for its chosen cameras. */
export function itemsOf(context: MosaicExportContext, isChosen: (uid: string) => boolean): ExportValues['items'] {
  const { added, cameras, range } = context
  const before = itemsOfRanges(added)
  if (range === null) return before
  const chosen = cameras.filter(({ uid, mayExport }) => mayExport && isChosen(uid))
  return [
    ...before,
    ...chosen.flatMap(({ uid }) => partsOfCamera(context, range, uid).map(({ from, to }) => ({ uid, from, to }))),
  ]
}

/** What the dialog selects by itself: cameras with recordings, or those with which the range was added before. */
export function isPreselected({ kept, range, measurements }: MosaicExportContext, uid: string): boolean {
  const before = range === null ? undefined : kept.ranges.find((one) => areSame(one, range))
  return before === undefined ? isRecorded(measurements[uid]) : before.items.some((item) => item.uid === uid)
}

const sumOf = (sizes: readonly (number | null)[]): number | null =>
  sizes.length === 0 ? null : sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0)

/** The approximate size of items of the selected range in bytes; null if that of any is unknown, or without items. */
export function bytesOfItems(
  { cameras, measurements }: Pick<MosaicExportContext, 'cameras' | 'measurements'>,
  { items }: Pick<ExportValues, 'items'>,
): number | null {
  const sizes = [...new Set(items.map(({ uid }) => uid))].map((uid) => {
    const measured = measurements[uid]
    const bitrate = cameras.find((camera) => camera.uid === uid)?.bitrate ?? null
    return measured !== undefined && 'recordedMs' in measured ? bytesOf(measured, bitrate) : null
  })
  return sumOf(sizes)
}

/** As `bytesOfItems`, for ranges. */
export const bytesOfRanges = (ranges: readonly MosaicRange[]): number | null =>
  sumOf(ranges.filter(({ items }) => items.length > 0).map(({ bytes }) => bytes))

/** The ranges of the dialog, given the values of its form; the selected one is the last. */
export function rangesOf(context: MosaicExportContext, values: ExportValues): readonly MosaicRange[] {
  const { added, range } = context
  if (range === null) return added
  const items = values.items.slice(itemsOfRanges(added).length)
  return [...added, { ...range, items, bytes: bytesOfItems(context, { items }) }]
}

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
