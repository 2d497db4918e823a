import { loadavg } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { alerts } from './alerts.ts'
import { calls } from './calls.ts'
import { clock } from './clock.ts'
import { commits } from './commits.ts'
import { faults } from './faults.ts'
import { printTable, resultOf, type Figure, type Result } from './figures.ts'
import { h265 } from './h265.ts'
import { withPage, type Measure } from './harness.ts'
import { inspector } from './inspector.ts'
import { keep } from './keep.ts'
import { latency, lowLatency } from './latency.ts'
import { leaks } from './leaks.ts'
import { list } from './list.ts'
import { load, signInLoad } from './load.ts'
import { mosaic } from './mosaic.ts'
import { month } from './month.ts'
import { openings } from './openings.ts'
import { paceOf } from './pace.ts'
import { seeks } from './seeks.ts'
import { site } from './site.ts'
import { openSession, recordedOf, startServer, waitForDemo } from './server.ts'
import { soak } from './soak.ts'
import { timeline } from './timeline.ts'
import { wall } from './wall.ts'
import { workerKilled } from './worker-killed.ts'

/**
 * `npm run bench [-- clock seeks …]`: the figures of first loads, of the player and of the list, all of them or those
 * named. Those of first loads and of the player are taken on a server of its own or on the one at `--address`, with its
 * demo streams (`wall` watches for `--minutes`); that of the sign-in page on one without cameras, those of the list and
 * of the server's calls on one that has ten thousand, that of the inspector on the developers' server, those of low
 * latency on one that speaks HTTPS, those of the faults on one that is killed and started again, that of `site` on one
 * that records ever more cameras, those of `month` on one with a month of 64 cameras, those of `worker-killed` on one
 * that loses the process that records, those of `alerts` on one whose camera dies, those of `h265` on one with cameras
 * of H.265. `--only`: of the faults, of the
 * sizes of `h265` and of the counts of `site`, those that it matches. Prints one table, and keeps what each found last
 * in bench/results.json and docs/figures.md.
 */
const measures: Readonly<Record<string, Measure>> = {
  load,
  openings,
  clock,
  seeks,
  timeline,
  commits,
  latency,
  leaks,
  mosaic,
  wall,
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    address: { type: 'string' },
    login: { type: 'string', default: 'admin' },
    password: { type: 'string', default: '' },
    stream: { type: 'string', default: 'Gate' },
    minutes: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    built: { type: 'boolean', default: false },
    json: { type: 'string', default: resolve(import.meta.dirname, 'results.json') },
  },
})
const apart: Readonly<Record<string, (isBuilt: boolean) => Promise<Figure[]>>> = {
  'sign-in': signInLoad,
  list,
  calls,
  inspector,
  'low-latency': (isBuilt) => lowLatency(isBuilt, values.stream),
  soak: (isBuilt) => soak(isBuilt, minutes),
  site: () => site(minutes, new RegExp(values.only)),
  month,
  'worker-killed': workerKilled,
  alerts,
  h265: () => h265(minutes, new RegExp(values.only)),
  faults: () => faults(new RegExp(values.only)),
}
const names = [...Object.keys(measures), ...Object.keys(apart)]
const minutes = Math.max(1, Number(values.minutes) || 1)
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) throw new Error(`no such bench: ${unknown.join(', ')}; there are ${names.join(', ')}`)

const isWanted = ([name]: readonly [string, unknown]) => positionals.length === 0 || positionals.includes(name)
/** Prints what is measured next, and returns the pace of the machine. */
const announce = (name: string): number => {
  const pace = paceOf()
  process.stdout.write(`${name}, at a load of ${(loadavg()[0] ?? 0).toFixed(1)} and a pace of ${pace} ms…\n`)
  return pace
}
const results: Result[] = []

async function note(name: string, pace: number, figures: readonly Figure[]): Promise<void> {
  const found = figures.map(resultOf)
  results.push(...found)
  const wished =
    (name === 'wall' || name === 'soak' || name === 'site' || name === 'h265') && minutes > 1
      ? ` --minutes ${minutes}`
      : ''
  const isPart = (name === 'faults' || name === 'h265') && values.only !== ''
  if (values.address === undefined)
    await keep(values.json, {
      name,
      command: `npm run bench -- ${name}${wished}${isPart ? ` --only '${values.only}'` : ''}`,
      pace,
      results: found,
      isPart,
    })
}

/** The figures that need the demo cameras. */
async function measurePlayer(): Promise<void> {
  const wanted = Object.entries(measures).filter(isWanted)
  if (wanted.length === 0) return
  const server =
    values.address === undefined
      ? await startServer(values.built)
      : {
          address: values.address,
          login: values.login,
          password: values.password,
          pid: null,
          stop: async () => undefined,
        }
  try {
    const ask = await openSession(server)
    const uid = await waitForDemo(ask, values.stream)
    for (const [name, measure] of wanted) {
      const pace = announce(name)
      const recorded = await recordedOf(ask, uid)
      const figures = await withPage(server, (page, cdp) =>
        measure({
          page,
          cdp,
          ask,
          address: server.address,
          uid,
          stream: values.stream,
          recorded,
          minutes,
          serverPid: server.pid,
        }),
      )
      await note(name, pace, figures)
    }
  } finally {
    await server.stop()
  }
}

try {
  await measurePlayer()
  for (const [name, measure] of Object.entries(apart).filter(isWanted)) {
    const pace = announce(name)
    await note(name, pace, await measure(values.built))
  }
} finally {
  printTable(results)
}
process.exitCode = results.every(({ isMet }) => isMet !== false) ? 0 : 1
