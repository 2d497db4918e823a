import { entriesOf, type Layout, type Row } from './layout.ts'

/** Scroll anchoring keeps the visible rows in place while sections above them get more or fewer rows. */

/** The index of an entry in the new layout; undefined for a stream that was removed or isn't loaded. */
export function anchoredEntry(before: Layout, after: Layout, entry: number): number | undefined {
  const was = before.entryAt(entry)
  if (was === undefined) return undefined
  if (was.section.kind === 'all') return after.entryAt(entry)?.section.kind === 'all' ? entry : undefined
  return was.stream === undefined ? undefined : after.entryOf(was.section, was.stream.uid)
}

/** The scroll position that keeps in place the first visible row that still exists. */
export function anchoredTop(before: Layout, after: Layout, top: number, height: number): number {
  for (const row of before.rowsWithin(top, top + height)) {
    const same = sameRow(before, after, row)
    if (same !== undefined) return top + same.top - row.top
  }
  return top
}

function sameRow(before: Layout, after: Layout, row: Row): Row | undefined {
  if (row.kind === 'head') return after.headOf(row.section)
  const entry = entriesOf(row)
    .map((one) => anchoredEntry(before, after, one))
    .find((one) => one !== undefined)
  return entry === undefined ? undefined : after.rowOf(entry)
}

/** The nearest scroll position that shows the row, below a table's header. */
export function topShowing(row: Row | undefined, { top, height }: { top: number; height: number }): number {
  if (row === undefined) return top
  const margin = 52
  const highest = Math.max(0, row.top - margin)
  return Math.max(Math.min(top, highest), row.top + row.height + margin - height)
}

/** The rows with one more, in their order; unchanged if they contain it. */
export function withRow(rows: readonly Row[], row: Row): readonly Row[] {
  if (rows.some(({ kind, first }) => kind === row.kind && first === row.first)) return rows
  return [...rows, row].toSorted((one, other) => one.top - other.top)
}
