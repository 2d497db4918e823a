import { globalAgent } from 'node:http'
import type { CDPSession, Page } from 'playwright'
import type { Figure } from './figures.ts'
import { fillSignIn, withBrowser } from './harness.ts'
import { installListReader, signInSteps } from './list-reader.ts'
import { seedStreams } from './many-streams.ts'
import { startServer, type Server } from './server.ts'
import { untilStarted } from './started.ts'
import { frameCosts, traceCategories, type FrameCosts } from './trace.ts'

const streamCount = 10_000
const slowdown = 4
const signIns = 15
const wheelStep = 960
const refreshMs = 10_000

const views = [
  { name: 'grid', address: 'view=grid' },
  { name: 'grid in groups', address: 'group=tag' },
  { name: 'table', address: 'view=table' },
  { name: 'table in groups', address: 'view=table&group=tag' },
] as const

const searches = [
  'gate 01',
  'harbour',
  'platform 7',
  'thermal',
  '192.0.2.17',
  'building 12',
  'roof',
  '09999',
  'airport lobby',
  'night',
]

const throttle = (cdp: CDPSession, rate: number) => cdp.send('Emulation.setCPUThrottlingRate', { rate })

/** When each step of a sign-in was done, in milliseconds since the press, in a browser without a cache. */
function measureSignIn(server: Server): Promise<number[]> {
  return withBrowser(async (page, cdp) => {
    await page.addInitScript(installListReader)
    await fillSignIn(page, server)
    await page.waitForLoadState('networkidle')
    await throttle(cdp, slowdown)
    await page.evaluate(() => globalThis.list.start())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.evaluate(() => globalThis.list.shown())
    return page.evaluate(() => globalThis.list.stepsOfSignIn())
  })
}

/** From the press of `Sign in` to the first list, with how long each step took after the one before it. */
function firstList(rounds: readonly number[][]): Figure[] {
  const tookOf = (done: readonly number[]) => done.map((at, step) => at - (done[step - 1] ?? 0))
  for (const done of rounds) {
    const took = tookOf(done).map((ms, step) => `${signInSteps[step]} ${Math.round(ms)}`)
    process.stdout.write(`first list after ${Math.round(done.at(-1) ?? Number.NaN)} ms: ${took.join(', ')}\n`)
  }
  const where = `${slowdown}× slower`
  const whole = {
    name: `Press of Sign in → first list, ${where}`,
    unit: 'ms',
    values: rounds.map((done) => done.at(-1) ?? Number.NaN),
    goal: { worst: 700 },
  }
  const steps = signInSteps.map((name, step) => ({
    name: `First list, ${where}, ${name}`,
    unit: 'ms',
    values: rounds.map((done) => tookOf(done)[step] ?? Number.NaN),
    goal: {},
  }))
  return [whole, ...steps]
}

/** The requested pages of the list, and those of status refreshes. */
function watchListRequests(page: Page) {
  const lists: string[] = []
  const refreshes: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/v1/streams') (search.includes('isOnlyAvailable') ? refreshes : lists).push(search)
  })
  return { lists, refreshes }
}

interface Scrolling extends FrameCosts {
  elements: number
  /** The time from reaching the end of the list until its last streams are shown. */
  endMs: number
}

const scroller = 'main [role=presentation]:has([data-entry])'
const isAtEnd = (page: Page) =>
  page
    .locator(scroller)
    .first()
    .evaluate((element) => element.scrollTop + element.clientHeight >= element.scrollHeight - 1)
const isWaiting = (page: Page) => page.evaluate(() => document.querySelector('main [data-waiting]') !== null)

/** Scrolls the list from its top to its end by the wheel. */
async function scrollThrough(page: Page): Promise<Scrolling> {
  const browser = page.context().browser()
  await page.mouse.move(700, 500)
  await page.evaluate(() => globalThis.list.maxElements())
  await browser?.startTracing(page, { categories: traceCategories })
  for (let turn = 0; turn % 20 !== 0 || !(await isAtEnd(page)); turn += 1) await page.mouse.wheel(0, wheelStep)
  const reached = performance.now()
  while ((await isWaiting(page)) || !(await isAtEnd(page))) {
    await page.mouse.wheel(0, wheelStep)
    await page.waitForTimeout(20)
  }
  const endMs = performance.now() - reached
  const trace = await browser?.stopTracing()
  return {
    ...frameCosts(trace?.toString() ?? '{"traceEvents":[]}'),
    elements: await page.evaluate(() => globalThis.list.maxElements()),
    endMs,
  }
}

/** From Enter in the search box to the list with the results. */
async function measureSearches(page: Page): Promise<number[]> {
  const box = page.getByRole('searchbox', { name: 'Search streams' })
  const taken: number[] = []
  for (const search of searches) {
    await box.fill(search)
    await page.evaluate(() => globalThis.list.start())
    await page.keyboard.press('Enter')
    taken.push(await page.evaluate(() => globalThis.list.shown()))
    await page.getByRole('button', { name: `Remove ${search}` }).click()
    await page.locator('main [data-entry]').first().waitFor()
    await page.waitForTimeout(500)
  }
  return taken
}

async function measureView(
  page: Page,
  cdp: CDPSession,
  address: string,
  { name, address: query }: (typeof views)[number],
  rate: number,
): Promise<Figure[]> {
  const requests = watchListRequests(page)
  const open = async () => {
    await page.goto(`${address}/ui/streams?${query}`)
    await page.locator('main a[data-entry]').first().waitFor()
    await page.waitForLoadState('networkidle')
    await throttle(cdp, rate)
  }
  await open()
  const searched = await measureSearches(page)
  await throttle(cdp, 1)
  await open()
  requests.lists.length = 0
  const { wallMs, processorMs, compositingMs, elements, endMs } = await scrollThrough(page)
  await throttle(cdp, 1)
  const [asked, again] = [requests.lists.length, requests.lists.length - new Set(requests.lists).size]
  requests.refreshes.length = 0
  await page.waitForTimeout(2 * refreshMs)
  process.stdout.write(
    `${name}: ${asked} pages asked for on the way down, ${again} of them once more; ` +
      `${requests.refreshes.length} in ${(2 * refreshMs) / 1000} s of rest at the end\n`,
  )
  const where = rate === 1 ? name : `${name}, ${rate}× slower`
  const goalOf = <Goal extends object>(goal: Goal) => (rate === 1 ? goal : {})
  return [
    {
      name: `Scrolling ${streamCount}, ${where}, scripting and painting a frame`,
      unit: 'ms',
      values: wallMs,
      goal: goalOf({ p95: 16.7 }),
    },
    {
      name: `Scrolling ${streamCount}, ${where}, of processor`,
      unit: 'ms',
      values: processorMs,
      goal: goalOf({ p95: 16.7 }),
    },
    {
      name: `Scrolling ${streamCount}, ${where}, compositing, of processor`,
      unit: 'ms',
      values: compositingMs,
      goal: {},
    },
    { name: `End → its streams shown, ${where}`, unit: 'ms', values: [endMs], goal: {} },
    { name: `Elements at most, ${where}`, unit: '', values: [elements], goal: { worst: 3000 } },
    { name: `Enter → answer shown, ${where}`, unit: 'ms', values: searched, goal: goalOf({ p95: 200 }) },
    { name: `Pages a status refresh, ${where}`, unit: '', values: [requests.refreshes.length / 2], goal: {} },
  ]
}

/** Ten thousand streams on their own server: the first list after signing in, scrolling, and searching. */
export async function list(isBuilt: boolean): Promise<Figure[]> {
  const server = await startServer(isBuilt, { hasDemo: false, seed: (dataDir) => seedStreams(dataDir, streamCount) })
  try {
    await untilStarted(globalAgent, server)
    const rounds: number[][] = []
    for (let round = 0; round < signIns; round += 1) rounds.push(await measureSignIn(server))
    const first = firstList(rounds)
    const figures = await withBrowser(async (page, cdp) => {
      await page.addInitScript(installListReader)
      await fillSignIn(page, server)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/ui\/streams/)
      const found = []
      for (const view of views) found.push(...(await measureView(page, cdp, server.address, view, 1)))
      return [...found, ...(await measureView(page, cdp, server.address, views[0], slowdown))]
    })
    return [...first, ...figures]
  } finally {
    await server.stop()
  }
}
