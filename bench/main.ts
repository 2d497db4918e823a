import { loadavg } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { alerts } from './alerts.ts'
import { backup } from './backup.ts'
import { calls } from './calls.ts'
import { cameraRestarted } from './camera-restarted.ts'
import { clock } from './clock.ts'
import { cluster } from './cluster.ts'
import { clusterOutage } from './cluster-outage.ts'
import { commits } from './commits.ts'
import { crash } from './crash.ts'
import { deadTile } from './dead-tile.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { printTable, resultOf, type Figure, type Result } from './figures.ts'
import { h265 } from './h265.ts'
import { withPage, type Measure } from './harness.ts'
import { inspector } from './inspector.ts'
import { keep } from './keep.ts'
import { farKeyframes, latency, lowLatency } from './latency.ts'
import { leaks } from './leaks.ts'
import { list } from './list.ts'
import { load, signInLoad } from './load.ts'
import { mosaic } from './mosaic.ts'
import { month } from './month.ts'
import { motion } from './motion.ts'
import { nginx } from './nginx.ts'
import { openings } from './openings.ts'
import { paceOf } from './pace.ts'
import { packaging } from './package.ts'
import { reverse } from './reverse.ts'
import { seeks } from './seeks.ts'
import { serverKilled } from './server-killed.ts'
import { site } from './site.ts'
import { openReadSession, recordedOf, startServer, waitForDemo } from './server.ts'
import { soak } from './soak.ts'
import { timeline } from './timeline.ts'
import { wall } from './wall.ts'
import { workerKilled } from './worker-killed.ts'

/**
 * `npm run bench [-- clock seeks …]`: all benches but `beside`, `nginx`, `package` and those of a cluster, or the
 * named ones. First loads and the player run on their own server with demo streams, or on the one at `--address`
 * (`wall` and `latency` run for `--minutes`). Others start their own servers: `sign-in` without cameras, `beside` the
 * same in turn with the sign-in page of another console at `--console 'NAME=ADDRESS'`, `list` and `calls` with ten
 * thousand streams, `events` with a hundred thousand events, `inspector` in development mode, `low-latency` with HTTPS
 * and `far-keyframes` with cameras of long GOPs (for `--minutes`), `dead-tile` with cameras that die,
 * `camera-restarted` with cameras that are gone for a moment, `faults` with kills and restarts, `site` with more and
 * more cameras, `month` with a month of 64 cameras, `backup` with their backup and restore, `motion` with the motion
 * index of one, `nginx` with nginx beside it, `worker-killed` without its recording process, `server-killed` with its
 * kill and restart, `crash` with kills and what else may happen to its data, `alerts` with a camera that fails, `h265`
 * with H.265 cameras, `package` with the package in a clean Debian, `cluster` with three nodes and their faults for 10
 * `--minutes` (`--seed` repeats them), `cluster-outage` with three nodes without their bucket, then their database, for
 * 5 `--minutes`. `--only` selects faults, kinds of `crash`, sizes of `h265` and counts of `site`. Prints one table, and
 * stores the last figures in bench/results.json and docs/figures.md.
 */
const playerBenches: Readonly<Record<string, Measure>> = {
  load,
  openings,
  clock,
  seeks,
  reverse,
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
    minutes: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    console: { type: 'string', default: '' },
    built: { type: 'boolean', default: false },
    json: { type: 'string', default: resolve(import.meta.dirname, 'results.json') },
  },
})
const ownServerBenches: Readonly<Record<string, (isBuilt: boolean) => Promise<Figure[]>>> = {
  'sign-in': (isBuilt) => signInLoad(isBuilt),
  beside: (isBuilt) => signInLoad(isBuilt, otherConsole()),
  list,
  calls,
  events,
  inspector,
  'far-keyframes': (isBuilt) => farKeyframes(isBuilt, minutes),
  'dead-tile': deadTile,
  'camera-restarted': cameraRestarted,
  'low-latency': (isBuilt) => lowLatency(isBuilt, values.stream, minutes),
  soak: (isBuilt) => soak(isBuilt, minutes),
  site: () => site(minutes, new RegExp(values.only)),
  month,
  backup,
  motion,
  nginx,
  'worker-killed': workerKilled,
  'server-killed': serverKilled,
  crash: () => crash(new RegExp(values.only)),
  cluster: () => cluster(minutesOf('cluster'), seed),
  'cluster-outage': () => clusterOutage(minutesOf('cluster-outage')),
  alerts,
  package: packaging,
  h265: (isBuilt) => h265(isBuilt, minutes, new RegExp(values.only)),
  faults: () => faults(new RegExp(values.only)),
}
/** Those that take longer with `--minutes`; one is usual. */
const ofMinutes = ['wall', 'latency', 'low-latency', 'far-keyframes', 'soak', 'site', 'h265']
const names = [...Object.keys(playerBenches), ...Object.keys(ownServerBenches)]
const usualMinutes: Readonly<Record<string, number>> = { cluster: 10, 'cluster-outage': 5 }
const minutesOf = (name: string): number => Math.max(1, Number(values.minutes) || (usualMinutes[name] ?? 1))
const minutes = minutesOf('')
const seed = Number(values.seed)
/** The name begins with a capital, by which docs/figures.md tells it from the rest of a figure's name. */
function otherConsole(): { name: string; address: string } {
  const [, name, address] = /^([A-Z][^,=]*)=(http.+)$/.exec(values.console) ?? []
  if (name === undefined || address === undefined) throw new Error("beside needs --console 'NAME=ADDRESS'")
  return { name, address }
}
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) throw new Error(`no such bench: ${unknown.join(', ')}; there are ${names.join(', ')}`)

const isWanted = ([name]: readonly [string, unknown]) =>
  positionals.includes(name) || (positionals.length === 0 && !/^(?:beside|cluster|nginx|package)/.test(name))
/** Prints what is measured next; returns the pace of the machine. */
const announce = (name: string): number => {
  const pace = paceOf()
  process.stdout.write(`${name}, at a load of ${(loadavg()[0] ?? 0).toFixed(1)} and a pace of ${pace} ms…\n`)
  return pace
}
const results: Result[] = []

async function note(name: string, pace: number, figures: readonly Figure[]): Promise<void> {
  const found = figures.map(resultOf)
  results.push(...found)
  const minutesArgument =
    name in usualMinutes || (ofMinutes.includes(name) && minutes > 1) ? ` --minutes ${minutesOf(name)}` : ''
  const seedArgument = name === 'cluster' ? ` --seed ${seed}` : ''
  const consoleArgument = name === 'beside' ? ` --console '${values.console}'` : ''
  const isPart = ['faults', 'h265', 'crash', 'site'].includes(name) && values.only !== ''
  const onlyArgument = isPart ? ` --only '${values.only}'` : ''
  if (values.address === undefined && found.length > 0)
    await keep(values.json, {
      name,
      command: `npm run bench -- ${name}${minutesArgument}${seedArgument}${consoleArgument}${onlyArgument}`,
      pace,
      results: found,
      isPart,
    })
}

/** The benches that need the demo cameras. */
async function measurePlayer(): Promise<void> {
  const wanted = Object.entries(playerBenches).filter(isWanted)
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
    const ask = await openReadSession(server)
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
  for (const [name, measure] of Object.entries(ownServerBenches).filter(isWanted)) {
    const pace = announce(name)
    await note(name, pace, await measure(values.built))
  }
} finally {
  printTable(results)
}
process.exitCode = results.every(({ isMet }) => isMet !== false) ? 0 : 1
