import { expect, test } from 'vitest'
import { designs } from '../../scripts/machines.ts'
import { differences, pinned, pinnedTable, tableOf } from './table.ts'

const machines = new Map(designs().map(({ id, machine }) => [id, machine]))

/** Where a change is meant, `npm run tables` writes the table anew and prints what has changed. */
test.each(pinned)('the transitions of %s are those of its table', (id) => {
  const [machine, kept] = [machines.get(id), pinnedTable(id)]
  if (machine === undefined || kept === null) throw new Error(`${id} has no machine or no table`)
  expect(differences(kept, tableOf(machine))).toEqual([])
})
