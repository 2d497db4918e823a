import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { declaredEdges, nodesOf } from '../src/views/dev/edges.ts'
import { keptEdges } from '../tests/machines/kept-edges.ts'
import { designs, type Design } from './machines.ts'

/**
 * The edges of every machine that real actors took in its tests, and those that are missing: `npm run
 * coverage:machines` runs those tests first, `--kept` uses the last run of vitest. Fails below 100 %.
 */
const { values } = parseArgs({ options: { kept: { type: 'boolean', default: false } } })

function rowOf({ id, machine }: Design) {
  const edges = [...declaredEdges(machine).values()]
  const walked = keptEdges(id)
  return {
    id,
    states: nodesOf(machine).length,
    edges: edges.length,
    left: edges.filter((edge) => walked?.has(edge) !== true),
  }
}

function report(): boolean {
  const rows = designs().map(rowOf)
  const left = rows.flatMap((row) => row.left)
  const states = rows.reduce((sum, row) => sum + row.states, 0)
  const edges = rows.reduce((sum, row) => sum + row.edges, 0)
  const lines = [
    ['Machine', 'States', 'Edges', 'Covered'],
    ...rows.map((row) => [row.id, row.states, row.edges, row.edges - row.left.length]),
    [`${rows.length} machines`, states, edges, edges - left.length],
  ]
  for (const [name = '', ...numbers] of lines)
    process.stdout.write(`${String(name).padEnd(20)}${numbers.map((one) => String(one).padStart(9)).join('')}\n`)
  for (const edge of left) process.stdout.write(`No test walks: ${edge}\n`)
  return left.length === 0
}

const root = join(import.meta.dirname, '..')
const tests = values.kept
  ? 0
  : spawnSync('vitest', ['run', '--reporter=dot', '.machine.test.ts'], { cwd: root, stdio: 'inherit' }).status
process.exitCode = report() && tests === 0 ? 0 : 1
