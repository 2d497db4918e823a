import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import type { Figure } from './figures.ts'
import { type Measure, withBrowser } from './harness.ts'
import { mosaicOf } from './mosaic.ts'
import { startServer } from './server.ts'

const rounds = 5
const rates = [1, 4] as const
/** For so long after the first paint tasks count as blocking, and what is fetched as fetched for what comes next. */
const watchMs = 5000
const tiles = 4

interface Entry {
  startTime: number
  duration: number
}

declare global {
  var load: { paints: number[]; largest: number[]; long: Entry[] }
}

/** Runs in the page before anything else. */
const installPaintReader = (): void => {
  const seen: typeof globalThis.load = { paints: [], largest: [], long: [] }
  const watch = (type: string, take: (entry: Entry & { name: string }) => void) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('paint', ({ name, startTime }) => name === 'first-contentful-paint' && seen.paints.push(startTime))
  watch('largest-contentful-paint', ({ startTime }) => seen.largest.push(startTime))
  watch('longtask', ({ startTime, duration }) => seen.long.push({ startTime, duration }))
  Object.assign(globalThis, { load: seen })
}

const assets = resolve(import.meta.dirname, '../dist')

/** What the server keeps compressed of a file; of what it doesn't, the file itself. */
function sizeOf(address: string, ending: '.gz' | '.br'): number {
  const file = join(assets, new URL(address).pathname.replace(/^\/ui\//, ''))
  return (statSync(`${file}${ending}`, { throwIfNoEntry: false }) ?? statSync(file)).size
}

const kilobytes = (addresses: readonly string[], ending: '.gz' | '.br') => addresses.reduce((sum, address) => sum + sizeOf(address, ending), 0) / 1000

interface Loaded {
  first: number
  largest: number
  blocked: number
  requests: number
  gzip: number
  brotli: number
  /** With what is fetched for the next screen. */
  ahead: number
}

/** Opens an address in a browser that has nothing of it in its cache. */
async function loadOnce(page: Page, address: string): Promise<Loaded> {
  await page.goto(address)
  const { first, largest, blocked, files } = await page.evaluate(async (watched) => {
    const { load } = globalThis
    const rest = (milliseconds: number) => new Promise((after) => setTimeout(after, milliseconds))
    while (load.paints.length === 0) await rest(20)
    const [first = Number.NaN] = load.paints
    await rest(first + watched - performance.now())
    const largest = load.largest.at(-1) ?? Number.NaN
    const blockedBy = ({ startTime, duration }: Entry) => Math.max(0, Math.min(startTime + duration, first + watched) - Math.max(startTime, first) - 50)
    const files = performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime }))
    return { first, largest, blocked: load.long.reduce((sum, task) => sum + blockedBy(task), 0), files }
  }, watchMs)
  const needed = files.filter(({ startTime }) => startTime < first).map(({ name }) => name)
  const code = (names: readonly string[]) => [...new Set(names)].filter((name) => /\.(?:js|css)$/.test(name))
  return {
    first,
    largest,
    blocked,
    requests: needed.length + 1,
    gzip: kilobytes(code(needed), '.gz'),
    brotli: kilobytes(code(needed), '.br'),
    ahead: kilobytes(code(files.map(({ name }) => name)), '.gz'),
  }
}

/** goals.md, the first screen: it is what the figures of the others' consoles are of. */
const goals = { gzip: 110, largest: { 1: 200, 4: 450 }, blocked: { 1: 100, 4: 100 } } as const

function figuresOf(name: string, rate: (typeof rates)[number], loaded: readonly Loaded[]): Figure[] {
  const isFirstScreen = name === 'sign-in'
  const where = rate === 1 ? name : `${name}, ${rate}× slower`
  const weights: Figure[] = [
    { name: `JS and CSS until the first paint, ${name}, gzip`, unit: 'kB', values: loaded.map(({ gzip }) => gzip), goal: isFirstScreen ? { median: goals.gzip } : {} },
    { name: `JS and CSS until the first paint, ${name}, brotli`, unit: 'kB', values: loaded.map(({ brotli }) => brotli), goal: {} },
    { name: `JS and CSS with what is fetched ahead, ${name}, gzip`, unit: 'kB', values: loaded.map(({ ahead }) => ahead), goal: {} },
    { name: `Requests until the first paint, ${name}`, unit: '', values: loaded.map(({ requests }) => requests), goal: {} },
  ]
  return [
    ...(rate === 1 ? weights : []),
    { name: `First contentful paint, ${where}`, unit: 'ms', values: loaded.map(({ first }) => first), goal: {} },
    { name: `Largest contentful paint, ${where}`, unit: 'ms', values: loaded.map(({ largest }) => largest), goal: isFirstScreen ? { median: goals.largest[rate] } : {} },
    { name: `Total blocking time, ${where}`, unit: 'ms', values: loaded.map(({ blocked }) => blocked), goal: isFirstScreen ? { median: goals.blocked[rate] } : {} },
  ]
}

interface Screen {
  readonly name: string
  /** Within `/ui`. */
  readonly path: string
  readonly kept?: Parameters<typeof withBrowser>[1]
}

async function figuresOfScreen(address: string, { name, path, kept = {} }: Screen): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const rate of rates) {
    const loaded: Loaded[] = []
    for (let round = 0; round < rounds; round += 1) {
      loaded.push(
        await withBrowser(async (fresh, cdp) => {
          await fresh.addInitScript(installPaintReader)
          await cdp.send('Emulation.setCPUThrottlingRate', { rate })
          return loadOnce(fresh, `${address}/ui${path}`)
        }, kept),
      )
    }
    figures.push(...figuresOf(name, rate, loaded))
  }
  return figures
}

/** First loads, by screen: what comes over the wire until there is something to see, when the largest of it is there, and for how long the page blocks. */
export const load: Measure = async ({ page, address, uid }) => {
  const mosaic = await mosaicOf(page, tiles)
  const kept = { storageState: await page.context().storageState() }
  await page.close()
  const screens: readonly Screen[] = [
    { name: 'streams', path: '/streams', kept },
    { name: 'player', path: `/stream/${uid}/view`, kept },
    { name: `mosaic of ${tiles}`, path: `/mosaic/${mosaic}`, kept },
    { name: 'add stream', path: '/add-stream', kept },
    { name: 'statistics', path: '/administration/stats', kept },
  ]
  const figures: Figure[] = []
  for (const screen of screens) figures.push(...(await figuresOfScreen(address, screen)))
  return figures
}

/** The same of the page that asks to sign in, beside no camera, as those of others were taken. */
export async function signInLoad(isBuilt: boolean): Promise<Figure[]> {
  const server = await startServer(isBuilt, { hasDemo: false })
  try {
    return await figuresOfScreen(server.address, { name: 'sign-in', path: '/auth' })
  } finally {
    await server.stop()
  }
}
