import process from 'node:process'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz/run.ts'
import { fuzzSources } from './fuzz/sources.ts'

/**
 * Sends odd inputs to every route and requests hostile sources: `npm run fuzz -- [--cases 10000] [--sources 10000]
 * [--seed 1]`. A fault is printed with the option that repeats it, with the same seed and count: `--only 1234` for an
 * input, `--only-source 1234` for a source.
 */
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    sources: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    'only-source': { type: 'string' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const seed = Number(values.seed)
const given = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))
const [only, onlySource] = [given(values.only), given(values['only-source'])]
const secondsSince = (beganAt: number): string => ((performance.now() - beganAt) / 1000).toFixed(1)

const fuzzInputs = async (): Promise<number> => {
  const beganAt = performance.now()
  const { cases, routes, statuses, slowest, faults } = await fuzz(Number(values.cases), seed, only)
  for (const fault of faults) print(JSON.stringify(fault, undefined, 2))
  const answered = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  print(
    `${cases} inputs of seed ${seed} to ${routes.size} routes in ${secondsSince(beganAt)} s; ${answered.join(', ')}`,
  )
  print(`slowest answer ${slowest.ms.toFixed(0)} ms (${slowest.route}, case ${slowest.case}); ${faults.length} faults`)
  return faults.length
}

const fuzzAllSources = async (): Promise<number> => {
  const beganAt = performance.now()
  const { gateways, probes, contacts, slowest, faults } = await fuzzSources(Number(values.sources), seed, onlySource)
  for (const fault of faults) print(JSON.stringify({ seed, ...fault }))
  print(
    `${gateways} sources of seed ${seed} through the gateway, ${probes} by ffmpeg, ` +
      `in ${secondsSince(beganAt)} s; slowest ${slowest.ms.toFixed(0)} ms (source ${slowest.case})`,
  )
  print(`${contacts} connections past the gateway; ${faults.length} faults`)
  return faults.length
}

let faults = 0
// Sources first: the sandbox is selected once, and here the gateway must be reachable without it (besideGateways).
if (values.sources !== '0' && only === undefined) faults += await fuzzAllSources()
if (values.cases !== '0' && onlySource === undefined) faults += await fuzzInputs()
process.exit(faults === 0 ? 0 : 1)
