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
    files: performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map(({ name, startTime, encodedBodySize }) => ({ name, startTime, encodedBodySize })),
  }
}

const File = z.object({ name: z.string(), startTime: z.number(), encodedBodySize: z.number() })
const Evaluated = z.object({
  result: z.object({
    value: z.object({
      firstMs: z.number(),
      largestMs: z.number(),
      blockedMs: z.number(),
      files: z.array(File),
    }),
  }),
})

const assets = resolve(import.meta.dirname, '../dist')

/** The compressed version of a file on our server, or the file itself if there is none. */
function sizeOf(address: string, ending: '.gz' | '.br'): number {
  const file = join(assets, new URL(address).pathname.replace(/^\/ui\//, ''))
  return (statSync(`${file}${ending}`, { throwIfNoEntry: false }) ?? statSync(file)).size
}

/** The kB of JS and CSS among files, each once: as stored in an encoding, or as transferred. */
function kilobytes(files: readonly z.infer<typeof File>[], encoding: '.gz' | '.br' | 'transferred'): number {
  const code = new Map(files.filter(({ name }) => /\.(?:js|css)$/.test(name)).map((file) => [file.name, file]))
  const sizes = [...code.values()].map(({ name, encodedBodySize }) =>
    encoding === 'transferred' ? encodedBodySize : sizeOf(name, encoding),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

interface Loaded {
  firstMs: number
  largestMs: number
  blockedMs: number
  requests: number
  /** kB of JS and CSS until the first paint. */
  gzip: number
  /** Null for another console, of which only the transferred bytes are known. */
  brotli: number | null
  /** kB of JS and CSS, compressed by gzip, with what is preloaded for the next screen. */
  withPreloads: number
}

/** The cookies and local storage of an earlier visit. */
type StoredState = Awaited<ReturnType<BrowserContext['storageState']>>

interface Screen {
  readonly name: string
  readonly address: string
  readonly storedState: StoredState
  /** Whether it is of another console. */
  readonly isOther?: true
}

/** Opens a screen in a browser with an empty cache and a processor that is slowed down by a factor. */
async function loadOnce(send: Send, { address, storedState, isOther }: Screen, rate: number): Promise<Loaded> {
  const { cookies, origins } = storedState
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
  const needed = files.filter(({ startTime }) => startTime < firstMs)
  const gzip = isOther ? 'transferred' : '.gz'
  return {
    firstMs,
    largestMs,
    blockedMs,
    requests: needed.length + 1,
    gzip: kilobytes(needed, gzip),
    brotli: isOther ? null : kilobytes(needed, '.br'),
    withPreloads: kilobytes(files, gzip),
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
  const brotli = loaded.map((one) => one.brotli).filter((kB) => kB !== null)
  const weights: Figure[] = [
    {
      name: `JS and CSS until the first paint, ${name}, gzip`,
      unit: 'kB',
      values: loaded.map(({ gzip }) => gzip),
      goal: isSignIn ? { median: signInGoals.gzip } : {},
    },
    ...(brotli.length === 0
      ? []
      : [{ name: `JS and CSS until the first paint, ${name}, brotli`, unit: 'kB', values: brotli, goal: {} }]),
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

/** The figures of screens, which take turns, so that what slows the machine down slows all of them down. */
async function figuresOfScreens(screens: readonly Screen[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const rate of rates) {
    const loaded = screens.map((): Loaded[] => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, screen] of screens.entries())
        loaded[index]?.push(await withoutListeners((send) => loadOnce(send, screen, rate)))
    }
    figures.push(...screens.flatMap(({ name }, index) => figuresOf(name, rate, loaded[index] ?? [])))
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
  const paths = {
    streams: 'streams',
    player: `stream/${uid}/view`,
    [`mosaic of ${tiles}`]: `mosaic/${mosaic}`,
    'add stream': 'add-stream',
    statistics: 'administration/stats',
  }
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(paths))
    figures.push(...(await figuresOfScreens([{ name, address: `${address}/ui/${path}`, storedState }])))
  return figures
}

/** The same of the sign-in page, on a server without cameras, in turn with that of another console if there is one. */
export async function signInLoad(isBuilt: boolean, other?: { name: string; address: string }): Promise<Figure[]> {
  const server = await startServer(isBuilt, { hasDemo: false })
  const storedState = { cookies: [], origins: [] }
  try {
    return await figuresOfScreens([
      { name: 'sign-in', address: `${server.address}/ui/auth`, storedState },
      ...(other === undefined ? [] : [{ ...other, storedState, isOther: true as const }]),
    ])
  } finally {
    await server.stop()
  }
}
