import type { Mosaic } from '../../src/api/contract/mosaic.ts'

type Layout = Pick<Mosaic, 'columns' | 'rows' | 'cells'>

const isIntegerFrom = (least: number, value: number): boolean => Number.isInteger(value) && value >= least

/** Errors of a layout by field path; empty if every cell is inside the grid and none overlap. */
export const layoutErrors = ({ columns, rows, cells }: Layout): Record<string, string> => {
  const errors: Record<string, string> = {}
  const taken = new Map<string, number>()
  for (const [index, { x, y, w, h }] of cells.entries()) {
    const path = `cells.${index}`
    if (![x, y].every((value) => isIntegerFrom(0, value)) || ![w, h].every((value) => isIntegerFrom(1, value))) {
      errors[path] = 'Must be placed in whole columns and rows'
      continue
    }
    if (x + w > columns || y + h > rows) {
      errors[path] = 'Must be inside the grid'
      continue
    }
    for (let column = x; column < x + w; column += 1) {
      for (let row = y; row < y + h; row += 1) {
        const other = taken.get(`${column} ${row}`)
        if (other !== undefined && other !== index) errors[path] ??= `Must not overlap cell ${other + 1}`
        taken.set(`${column} ${row}`, other ?? index)
      }
    }
  }
  return errors
}
