import type { TimeRange } from '../../api/contract/time-range.ts'
import type { ExportValues } from './export-form.ts'

export interface SelectedRange extends TimeRange {
  /** The selected end; `to` is earlier if that was in the future. */
  readonly askedTo: number
}

/** A range to export, and its items: the parts that are exported, of each of its cameras. */
export interface DraftRange extends SelectedRange {
  readonly items: ExportValues['items']
}

/** What the next dialog begins with. */
export interface KeptDraft<Range extends DraftRange = DraftRange> {
  readonly ranges: readonly Range[]
  readonly note: string
  readonly overlay: boolean
}

export const nothingKept: KeptDraft<never> = { ranges: [], note: '', overlay: false }

/** Whether both are one selection, which may have been cut at different times. */
export const areSame = (one: SelectedRange, other: SelectedRange): boolean =>
  one.from === other.from && one.askedTo === other.askedTo

export const withoutRange = <Range extends SelectedRange>(ranges: readonly Range[], removed: SelectedRange): Range[] =>
  ranges.filter((range) => !areSame(range, removed))

export const itemsOfRanges = (ranges: readonly DraftRange[]): ExportValues['items'] =>
  ranges.flatMap(({ items }) => items)
