import type { ActorRefFrom } from 'xstate'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { partCount, partsOf } from '../clips/parts.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { besideField } from '../form/refused-fields.ts'
import { raiseToast, type ToastSender } from '../notifications/toast.ts'
import { rangeFactsOf, type RangeFacts } from '../player/range-facts.ts'
import type { Interval } from '../timeline/intervals.ts'

export interface ExportLimits {
  /** The longest range of one item. */
  readonly maxSeconds: number
  /** The longest range that one request for recorded ranges may ask for; longer ranges take several requests. */
  readonly chunkMs: number
  /** The most items of one export; each becomes a video file. */
  readonly maxItems: number
}

export interface ExportValues {
  /** Named as on the wire, because the server reports errors by paths such as `items.0.startTime`. */
  items: readonly { uid: string; from: number; to: number }[]
  note: string
  overlay: boolean
  /** The zone that the dialog shows times in, and that of the time drawn with `overlay`. */
  timezone: string
}

/** The facts of a range to export, and its parts that have recordings. */
export interface SplitFacts extends RangeFacts {
  readonly parts: readonly TimeRange[]
}

/**
 * The range up to `now`, and `now` if that cuts it. Less than a second is left to the server, which cuts it, too, and
 * so is a range that begins in the future, which it refuses.
 */
export const cutAtNow = ({ from, to }: TimeRange, now: number): { range: TimeRange; cutAt: number | null } =>
  from < now && to > now + 1000 ? { range: { from, to: now }, cutAt: now } : { range: { from, to }, cutAt: null }

/** The parts that a range is exported in; the range itself if it would have more parts than an export may have. */
export const exportParts = (range: TimeRange, { maxSeconds, maxItems }: ExportLimits): readonly TimeRange[] =>
  partCount(range, maxSeconds) > maxItems ? [range] : partsOf(range, maxSeconds)

/** `intervals` are as for `rangeFactsOf`. The server refuses parts without recordings. */
export const splitFactsOf = (intervals: readonly Interval[], range: TimeRange, limits: ExportLimits): SplitFacts => ({
  ...rangeFactsOf(intervals, range),
  parts: exportParts(range, limits).filter((part) => rangeFactsOf(intervals, part).recordedMs > 0),
})

/** Error codes of the form's field `items`; the dialogs have the texts. `empty`: there is nothing to export. */
export type ExportProblem = 'rangeTooLong' | 'empty' | 'tooManyFiles'

export function problemOf({ items }: ExportValues, { maxSeconds, maxItems }: ExportLimits): ExportProblem | null {
  if (items.some(({ from, to }) => to - from > maxSeconds * 1000)) return 'rangeTooLong'
  if (items.length === 0) return 'empty'
  return items.length > maxItems ? 'tooManyFiles' : null
}

/** Says that the export has started; for `enqueueActions`. */
export const notifyStarted = ({ enqueue, system }: ToastSender): void =>
  raiseToast({ enqueue, system }, { tone: 'success', code: 'exportStarted' })

/** Errors of an export are shown beside the note, the only text field of its forms. `''`: unknown errors. */
const fieldOfCode = besideField('note', [
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

export const exportFormMachine = formMachineOf<ExportValues, { id: string }, ExportLimits>({
  fieldOfCode,
  validate: (values, _, limits) => {
    const problem = problemOf(values, limits)
    return problem === null ? {} : { items: problem }
  },
})

export type ExportFormRef = ActorRefFrom<typeof exportFormMachine>
