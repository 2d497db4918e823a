import type { TimeRange } from '../../api/contract/time-range.ts'

/** The moments of the in mark (`from`) and the out mark (`to`); null for a mark that isn't set. */
export interface InOutMarks {
  readonly from: number | null
  readonly to: number | null
}

export type MarkEvent =
  | { readonly type: 'selection.inMarked'; readonly at: number }
  | { readonly type: 'selection.outMarked'; readonly at: number }
  /** Both marks are set, in any order. */
  | { readonly type: 'selection.spanned'; readonly from: number; readonly to: number }
  | { readonly type: 'selection.cleared' }

export const noMarks: InOutMarks = { from: null, to: null }

/** The marks after an event. An in mark at or after the out mark removes the out mark, and vice versa. */
export function marksAfter({ from, to }: InOutMarks, event: MarkEvent): InOutMarks {
  switch (event.type) {
    case 'selection.inMarked':
      return { from: event.at, to: to !== null && to > event.at ? to : null }
    case 'selection.outMarked':
      return { from: from !== null && from < event.at ? from : null, to: event.at }
    case 'selection.spanned':
      return { from: Math.min(event.from, event.to), to: Math.max(event.from, event.to) }
    case 'selection.cleared':
      return noMarks
  }
}

const marginMs = 15_000

/** The range to mark around what happened; the margin after it ends at `now`. */
export const rangeAround = ({ from, to }: TimeRange, now: number): TimeRange => ({
  from: from - marginMs,
  to: Math.max(to, Math.min(now, to + marginMs)),
})

/** The marked range; null unless both marks are set. */
export const markedRange = ({ from, to }: InOutMarks): TimeRange | null =>
  from === null || to === null ? null : { from, to }
