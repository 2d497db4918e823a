import { entriesOf, type Layout, type Row } from './layout.ts'

/** While pages come, groups take in streams above what is in sight. */

/** An entry of the layout before in the one after; undefined for a stream that is gone, or was still to be had. */
export function sameEntry(before: Layout, after: Layout, entry: number): number | undefined {
  const was = before.entryAt(entry)
  if (was === undefined) return undefined
  if (was.section.kind === 'all') return after.entryAt(entry)?.section.kind === 'all' ? entry : undefined
  return was.stream === undefined ? undefined : after.entryOf(was.section, was.stream.uid)
}

/** How far the list is scrolled when the first row in sight, of those that are still there, stays where it was. */
export function sameTop(before: Layout, after: Layout, top: number, height: number): number {
  for (const row of before.rowsWithin(top, top + height)) {
    const same = sameRow(before, after, row)
    if (same !== undefined) return top + same.top - row.top
  }
  return top
}

function sameRow(before: Layout, after: Layout, row: Row): Row | undefined {
  if (row.kind === 'head') return after.headOf(row.section)
  const entry = entriesOf(row)
    .map((one) => sameEntry(before, after, one))
    .find((one) => one !== undefined)
  return entry === undefined ? undefined : after.rowOf(entry)
}

/** Scrolled no farther than brings the row in sight, below a table's head. */
export function topShowing(row: Row | undefined, { top, height }: { top: number; height: number }): number {
  if (row === undefined) return top
  const margin = 52
  const highest = Math.max(0, row.top - margin)
  return Math.max(Math.min(top, highest), row.top + row.height + margin - height)
}

export function withRow(rows: readonly Row[], row: Row): readonly Row[] {
  if (rows.some(({ kind, first }) => kind === row.kind && first === row.first)) return rows
  return [...rows, row].toSorted((one, other) => one.top - other.top)
}
