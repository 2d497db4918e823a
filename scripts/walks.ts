import process from 'node:process'
import { parseArgs } from 'node:util'
import { walk } from '../tests/walks/walk.ts'

/**
 * `npm run walks`: random visits of the whole console (tests/walks/walk.ts), `--count` of `--length` steps each, from
 * `--seed` on. Prints the seeds of visits with faults, and every step of a single visit.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    length: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})
const [count, length, first] = [Number(values.count), Number(values.length), Number(values.seed)]

/** The uncaught errors of the current walk. */
const uncaught: unknown[] = []
process.on('unhandledRejection', (error) => uncaught.push(error))
process.on('uncaughtException', (error) => uncaught.push(error))

const found = { walks: 0, edges: new Set<string>() }
const startedAt = performance.now()
for (let seed = first; seed < first + count; seed += 1) {
  const { faults, steps, edges } = await walk(seed, length)
  for (const edge of edges) found.edges.add(edge)
  const all = [
    ...faults,
    ...uncaught.splice(0).map((error) => `nobody caught: ${error instanceof Error ? error.stack : String(error)}`),
  ]
  if (count === 1) process.stdout.write(`${steps.join('\n')}\n`)
  if (all.length === 0) continue
  found.walks += 1
  process.stdout.write(
    `seed ${seed}, after ${steps.length} steps, the last: ${steps.slice(-3).join('; ')}\n${all.join('\n')}\n`,
  )
}

const { user, system } = process.cpuUsage()
const seconds = (microseconds: number) => (microseconds / 1e6).toFixed(1)
process.stdout.write(
  `${count} walks of ${length} steps from seed ${first} on: ${found.walks} with faults, ${found.edges.size} different edges taken, ` +
    `${((performance.now() - startedAt) / 1000).toFixed(1)} s (${seconds(user + system)} s of processor)\n`,
)
process.exitCode = found.walks === 0 ? 0 : 1
