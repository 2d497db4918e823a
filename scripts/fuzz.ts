import process from 'node:process'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz/run.ts'

/** Asks every route with odd inputs: `npm run fuzz -- [--cases 10000] [--seed 1] [--only 1234]`. A fault is shown with what makes it again. */
const { values } = parseArgs({ options: { cases: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' }, only: { type: 'string' } } })
const say = (line: string) => process.stdout.write(`${line}\n`)

const beganAt = performance.now()
const { cases, routes, statuses, slowest, faults } = await fuzz(Number(values.cases), Number(values.seed), values.only === undefined ? undefined : Number(values.only))
for (const fault of faults) say(JSON.stringify(fault, undefined, 2))
const answered = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
say(`${cases} inputs of seed ${values.seed} to ${routes.size} routes in ${((performance.now() - beganAt) / 1000).toFixed(1)} s; ${answered.join(', ')}`)
say(`slowest answer ${slowest.ms.toFixed(0)} ms (${slowest.route}, case ${slowest.case}); ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
