import { writeFileSync } from 'node:fs'
import { differences, fileOf, pinned, pinnedTable, tableOf, writtenTable } from '../tests/machines/table.ts'
import { designs } from './machines.ts'

/**
 * Writes the tables of tests/machines/tables from the machines and prints the changes: review them before committing.
 */
const machines = new Map(designs().map(({ id, machine }) => [id, machine]))

for (const id of pinned) {
  const machine = machines.get(id)
  if (machine === undefined) throw new Error(`no machine is called ${id}`)
  const now = tableOf(machine)
  const kept = pinnedTable(id)
  const changes = kept === null ? [`${id}: a new table of ${now.rows.size} transitions`] : differences(kept, now)
  for (const change of changes) process.stdout.write(`${change}\n`)
  if (changes.length > 0) writeFileSync(fileOf(id), writtenTable(id, now))
}
