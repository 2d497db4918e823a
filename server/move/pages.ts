import type { ExclusiveDatabase, TableRow, Table } from '../store/exclusive-database.ts'
import { keyOf } from './position.ts'

const firstRows = 100
const maxRows = 5000
const maxBytes = 1_000_000

const bytesOf = (rows: readonly TableRow[]): number => {
  let sum = 0
  for (const row of rows) {
    for (const value of row) sum += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  }
  return sum
}

/** The rows of a table after a key, in pages of about a megabyte, whatever the size of a row. */
export async function* pagesOf(
  database: ExclusiveDatabase,
  table: Table,
  after?: TableRow,
): AsyncGenerator<{ rows: readonly TableRow[]; last: TableRow }> {
  let limit = firstRows
  for (let key = after; ;) {
    const rows = await database.read(table, key, limit)
    const row = rows.at(-1)
    if (row === undefined) return
    key = keyOf(table, row)
    yield { rows, last: key }
    if (rows.length < limit) return
    const fitting = Math.floor((rows.length * maxBytes) / bytesOf(rows))
    limit = Math.max(1, Math.min(fitting, limit * 4, maxRows))
  }
}
