import * as z from 'zod/mini'
import type { ExclusiveDatabase, TableRow, Table } from '../store/exclusive-database.ts'
import { siteTables } from './marks.ts'
import { pagesOf } from './pages.ts'
import { keyAt, positionOf } from './position.ts'

export type MoveOptions = {
  signal: AbortSignal
  report: (line: string) => void
  /** Called after each page. */
  onProgress: (progress: { table: string; done: number; of: number }) => void
}

const Progress = z.object({
  name: z.string(),
  position: z.string(),
  count: z.coerce.number(),
  isDone: z.coerce.boolean(),
})

/** A row as the target stores it. */
export const storedRow = (row: TableRow, target: ExclusiveDatabase): TableRow =>
  row.map((value) => (typeof value === 'string' ? target.storedText(value) : value))

const copyTable = async (
  source: ExclusiveDatabase,
  target: ExclusiveDatabase,
  table: Table,
  options: MoveOptions,
): Promise<void> => {
  const sql = 'SELECT name, position, count, is_done AS "isDone" FROM move_progress WHERE name = ?'
  const known = z.parse(Progress, (await target.all(sql, table.name))[0])
  if (known.isDone) return
  const of = await source.count(table)
  let done = known.count
  for await (const { rows, last } of pagesOf(source, table, keyAt(table, known.position))) {
    done += rows.length
    // The rows and the position are written together or not at all.
    await target.transaction(async () => {
      await target.insert(
        table,
        rows.map((row) => storedRow(row, target)),
      )
      const update = 'UPDATE move_progress SET position = ?, count = ? WHERE name = ?'
      await target.run(update, positionOf(last), done, table.name)
    })
    options.onProgress({ table: table.name, done, of })
    if (options.signal.aborted) return
  }
  await target.run('UPDATE move_progress SET is_done = 1 WHERE name = ?', table.name)
}

/** Copies the rows that the target doesn't have yet, in batches, in the order of the primary key. */
export const copyTables = async (
  source: ExclusiveDatabase,
  target: ExclusiveDatabase,
  options: MoveOptions,
): Promise<void> => {
  for (const table of await siteTables(source)) {
    if (options.signal.aborted) return
    await copyTable(source, target, table, options)
  }
}
