import type { ExclusiveDatabase, TableRow, Table } from '../store/exclusive-database.ts'
import type { Value } from '../store/connection.ts'
import { createChecksum } from './checksum.ts'
import { storedRow, type MoveOptions } from './copy.ts'
import { siteTables } from './marks.ts'
import { pagesOf } from './pages.ts'

/** `changed`: how many rows the target stores otherwise, as PostgreSQL can't store NUL characters. */
export type Sum = { table: string; rows: number; checksum: string; changed: number }

const textOf = (value: Value): string | null => {
  if (value === null) return null
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`
  if (typeof value === 'string') return `t${value}`
  return typeof value === 'bigint' ? `i${value}` : `r${value}`
}

/** Count and checksum of a table's rows, as `target` stores them, in any order. */
const sumOf = async (
  database: ExclusiveDatabase,
  target: ExclusiveDatabase,
  table: Table,
  signal: AbortSignal,
): Promise<Sum> => {
  const sum: Sum = { table: table.name, rows: 0, checksum: '', changed: 0 }
  const checksum = createChecksum()
  for await (const { rows } of pagesOf(database, table)) {
    for (const row of rows) {
      const stored: TableRow = storedRow(row, target)
      if (stored.some((value, index) => value !== row[index])) sum.changed += 1
      checksum.add(JSON.stringify(stored.map(textOf)))
    }
    sum.rows += rows.length
    if (signal.aborted) break
  }
  return { ...sum, checksum: checksum.text() }
}

/** Reads every row of both databases and compares count and checksum of each table. */
export const verify = async (
  source: ExclusiveDatabase,
  target: ExclusiveDatabase,
  { signal, report }: MoveOptions,
): Promise<Sum[]> => {
  const sums: Sum[] = []
  const different: string[] = []
  for (const table of await siteTables(source)) {
    const from = await sumOf(source, target, table, signal)
    const to = await sumOf(target, target, table, signal)
    if (signal.aborted) return sums
    const isSame = from.rows === to.rows && from.checksum === to.checksum
    report(`${table.name}: ${from.rows} rows, ${from.checksum}${isSame ? '' : `; not ${to.rows} rows, ${to.checksum}`}`)
    if (from.changed > 0) {
      report(`${table.name}: ${from.changed} rows had NUL characters: PostgreSQL stores U+FFFD instead`)
    }
    if (!isSame) different.push(table.name)
    sums.push(from)
  }
  if (different.length > 0)
    throw new Error(`${target.location} has other rows than ${source.location}: ${different.join(', ')}`)
  return sums
}
