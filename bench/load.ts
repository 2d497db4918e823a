import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BrowserContext } from 'playwright'
import * as z from 'zod/mini'
import type { Figure } from './figures.ts'
import type { Measure } from './harness.ts'
import { mosaicOf } from './mosaic.ts'
import { startServer } from './server.ts'
import { withoutListeners, type Send } from './without-debugger.ts'

const rounds = 5
const rates = [1, 4] as const
/** How long after the first paint tasks count as blocking, and requests as preloading. */
const watchMs = 5000
const tiles = 4

interface Entry {
  startTime: number
  duration: number
}

/** The page's own timings of its load, that long after the first paint. */
async function paintsOf(afterMs: number) {
  const rest = (milliseconds: number) => new Promise((after) => setTimeout(after, milliseconds))
  const entriesOf = async (type: string): Promise<Entry[]> => {
    const seen: Entry[] = []
    new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type, buffered: true })
    await rest(100)
    return seen
  }
  const firstPaint = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
  while (firstPaint() === undefined) await rest(20)
  const firstMs = firstPaint() ?? Number.NaN
  await rest(firstMs + afterMs - performance.now())
  const [largest, long] = [await entriesOf('largest-contentful-paint'), await entriesOf('longtask')]
  /** Total blocking time counts what a task takes beyond this. */
  const allowedMs = 50
  const blockedBy = ({ startTime, duration }: Entry) =>
    Math.max(0, Math.min(startTime + duration, firstMs + afterMs) - Math.max(startTime, firstMs) - allowedMs)
  return {
    firstMs,
    largestMs: largest.at(-1)?.startTime ?? Number.NaN,
    blockedMs: long.reduce((sum, task) => sum + blockedBy(task), 0),
    files: performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
  }
}

const Evaluated = z.object({
  result: z.object({
    value: z.object({
      firstMs: z.number(),
      largestMs: z.number(),
      blockedMs: z.number(),
      files: z.array(z.object({ name: z.string(), startTime: z.number() })),
    }),
  }),
})

const assets = resolve(import.meta.dirname, '../dist')

/** The compressed version of a file on the server, or the file itself if there is none. */
function sizeOf(address: string, ending: '.gz' | '.br'): number {
  const file = join(assets, new URL(address).pathname.replace(/^\/ui\//, ''))
  return (statSync(`${file}${ending}`, { throwIfNoEntry: false }) ?? statSync(file)).size
}

const kilobytes = (addresses: readonly string[], ending: '.gz' | '.br') =>
  addresses.reduce((sum, address) => sum + sizeOf(address, ending), 0) / 1000

interface Loaded {
  firstMs: number
  largestMs: number
  blockedMs: number
  requests: number
  /** kB of JS and CSS until the first paint. */
  gzip: number
  brotli: number
  /** kB of JS and CSS, compressed by gzip, with what is preloaded for the next screen. */
  withPreloads: number
}

/** The cookies and local storage of an earlier visit. */
type StoredState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Opens an address in a browser with an empty cache and a processor that is slowed down by a factor. */
async function loadOnce(send: Send, address: string, rate: number, { cookies, origins }: StoredState): Promise<Loaded> {
  await send('Storage.setCookies', { cookies })
  await send('Page.enable')
  for (const { name, value } of origins.flatMap(({ localStorage }) => localStorage)) {
    await send('Page.addScriptToEvaluateOnNewDocument', {
      source: `localStorage.setItem(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    })
  }
  await send('Emulation.setCPUThrottlingRate', { rate })
  await send('Page.navigate', { url: address })
  const { firstMs, largestMs, blockedMs, files } = z.parse(
    Evaluated,
    await send('Runtime.evaluate', {
      expression: `(${paintsOf})(${watchMs})`,
      awaitPromise: true,
      returnByValue: true,
    }),
  ).result.value
  const needed = files.filter(({ startTime }) => startTime < firstMs).map(({ name }) => name)
  const code = (names: readonly string[]) => [...new Set(names)].filter((name) => /\.(?:js|css)$/.test(name))
  return {
    firstMs,
    largestMs,
    blockedMs,
    requests: needed.length + 1,
    gzip: kilobytes(code(needed), '.gz'),
    brotli: kilobytes(code(needed), '.br'),
    withPreloads: kilobytes(code(files.map(({ name }) => name)), '.gz'),
  }
}

/** The milliseconds until the largest paint, by processor. Bytes have budgets of their own (docs/figures.md). */
const largestGoals: Readonly<Record<string, Readonly<Record<(typeof rates)[number], number>>>> = {
  'sign-in': { 1: 200, 4: 450 },
  streams: { 1: 600, 4: 1300 },
  player: { 1: 800, 4: 1500 },
}
const signInGoals = { gzip: 110, blockedMs: 100 }

function figuresOf(name: string, rate: (typeof rates)[number], loaded: readonly Loaded[]): Figure[] {
  const isSignIn = name === 'sign-in'
  const largestGoal = largestGoals[name]?.[rate]
  const where = rate === 1 ? name : `${name}, ${rate}× slower`
  const weights: Figure[] = [
    {
      name: `JS and CSS until the first paint, ${name}, gzip`,
      unit: 'kB',
      values: loaded.map(({ gzip }) => gzip),
      goal: isSignIn ? { median: signInGoals.gzip } : {},
    },
    {
      name: `JS and CSS until the first paint, ${name}, brotli`,
      unit: 'kB',
      values: loaded.map(({ brotli }) => brotli),
      goal: {},
    },
    {
      name: `JS and CSS with what is fetched ahead, ${name}, gzip`,
      unit: 'kB',
      values: loaded.map(({ withPreloads }) => withPreloads),
      goal: {},
    },
    {
      name: `Requests until the first paint, ${name}`,
      unit: '',
      values: loaded.map(({ requests }) => requests),
      goal: {},
    },
  ]
  return [
    ...(rate === 1 ? weights : []),
    { name: `First contentful paint, ${where}`, unit: 'ms', values: loaded.map(({ firstMs }) => firstMs), goal: {} },
    {
      name: `Largest contentful paint, ${where}`,
      unit: 'ms',
      values: loaded.map(({ largestMs }) => largestMs),
      goal: largestGoal === undefined ? {} : { median: largestGoal },
    },
    {
      name: `Total blocking time, ${where}`,
      unit: 'ms',
      values: loaded.map(({ blockedMs }) => blockedMs),
      goal: isSignIn ? { median: signInGoals.blockedMs } : {},
    },
  ]
}

interface Screen {
  readonly name: string
  /** Within `/ui`. */
  readonly path: string
  readonly storedState: StoredState
}

async function figuresOfScreen(address: string, { name, path, storedState }: Screen): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const rate of rates) {
    const loaded: Loaded[] = []
    for (let round = 0; round < rounds; round += 1) {
      loaded.push(await withoutListeners((send) => loadOnce(send, `${address}/ui${path}`, rate, storedState)))
    }
    figures.push(...figuresOf(name, rate, loaded))
  }
  return figures
}

/**
 * First loads by screen: the transferred bytes until the first paint, the largest contentful paint, and the total
 * blocking time.
 */
export const load: Measure = async ({ page, address, uid }) => {
  const mosaic = await mosaicOf(page, tiles)
  const storedState = await page.context().storageState()
  await page.close()
  const screens: readonly Screen[] = [
    { name: 'streams', path: '/streams', storedState },
    { name: 'player', path: `/stream/${uid}/view`, storedState },
    { name: `mosaic of ${tiles}`, path: `/mosaic/${mosaic}`, storedState },
    { name: 'add stream', path: '/add-stream', storedState },
    { name: 'statistics', path: '/administration/stats', storedState },
  ]
  const figures: Figure[] = []
  for (const screen of screens) figures.push(...(await figuresOfScreen(address, screen)))
  return figures
}

/** The same of the sign-in page, on a server without cameras, as figures of other consoles are measured. */
export async function signInLoad(isBuilt: boolean): Promise<Figure[]> {
  const server = await startServer(isBuilt, { hasDemo: false })
  try {
    return await figuresOfScreen(server.address, {
      name: 'sign-in',
      path: '/auth',
      storedState: { cookies: [], origins: [] },
    })
  } finally {
    await server.stop()
  }
}
