import { chromium, type BrowserContextOptions, type CDPSession, type Page } from 'playwright'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import type { Figure } from './figures.ts'
import type { Read, Server, RecordedRange } from './server.ts'
import { installStripReader } from './strip.ts'

/**
 * What each measurement gets: its own signed-in page on the list of streams, and a stream. `stream`: the stream's name.
 */
export interface Bench {
  page: Page
  cdp: CDPSession
  ask: Read
  address: string
  uid: string
  stream: string
  recorded: readonly RecordedRange[]
  /** How many minutes long measurements take. */
  minutes: number
  serverPid: number | null
}

export type Measure = (bench: Bench) => Promise<Figure[]>

type Account = Pick<Server, 'address' | 'login' | 'password'>

interface BrowserOptions {
  baseURL?: string
  /** More arguments of the browser. */
  args?: readonly string[]
  storageState?: NonNullable<BrowserContextOptions['storageState']>
  /** Whether the bench handles Ctrl-C itself. */
  isInterruptible?: boolean
}

/** Opens a browser with one empty page, measures, and closes the browser. */
export async function withBrowser<T>(
  measure: (page: Page, cdp: CDPSession) => Promise<T>,
  { args = [], isInterruptible = false, ...kept }: BrowserOptions = {},
): Promise<T> {
  const browser = await chromium.launch({
    handleSIGINT: !isInterruptible,
    executablePath: findBrowser(),
    args: [...browserArgs, '--js-flags=--expose-gc', ...args],
  })
  try {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      ...kept,
    })
    const page = await context.newPage()
    return await measure(page, await context.newCDPSession(page))
  } finally {
    await browser.close()
  }
}

/** Opens the sign-in page and fills it in. */
export async function fillSignIn(page: Page, { address, login, password }: Account): Promise<void> {
  await page.goto(`${address}/ui/auth`)
  await page.getByRole('textbox', { name: 'Login' }).fill(login)
  await page.locator('input[type=password]').fill(password)
}

/** Opens a browser, signs in and measures. */
export function withPage<T>(
  server: Account,
  measure: (page: Page, cdp: CDPSession) => Promise<T>,
  browsing: BrowserOptions = {},
): Promise<T> {
  return withBrowser(
    async (page, cdp) => {
      await page.addInitScript(installStripReader)
      await fillSignIn(page, server)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/ui\/streams/)
      return measure(page, cdp)
    },
    { ...browsing, baseURL: server.address },
  )
}

const patienceMs = 30_000

/** Clicks a link to a stream, by its name; returns the milliseconds from the click to the first frame. */
export async function openByLink(page: Page, name: RegExp): Promise<number> {
  const link = page.getByRole('link', { name }).first()
  await link.waitFor()
  await page.evaluate(() => globalThis.bench.forgetClick())
  const opened = page.evaluate((patience) => globalThis.bench.until(() => true, patience, 'click'), patienceMs)
  await link.click()
  return opened
}

/** The same of the stream's link in the list. */
export const openLive = ({ page, stream }: Pick<Bench, 'page' | 'stream'>): Promise<number> =>
  openByLink(page, new RegExp(stream))

/** Opens the archive at a moment by the address, and waits for the picture. */
export async function openAt({ page, address, uid }: Bench, at: number): Promise<void> {
  await page.goto(`${address}/ui/stream/${uid}/view?at=${new Date(at).toISOString()}`)
  const arrived = await page.evaluate(
    ({ moment, patience }) => globalThis.bench.until(({ frame }) => Math.abs(frame - moment) < 10_000, patience, 'now'),
    { moment: at, patience: patienceMs },
  )
  if (Number.isNaN(arrived)) throw new Error(`there is no picture of ${new Date(at).toISOString()}`)
}

export async function chooseSpeed(page: Page, speed: string): Promise<void> {
  await page.getByRole('button', { name: /Speed/ }).click()
  await page
    .getByRole('menuitem', { name: speed, exact: true })
    .or(page.getByRole('menuitemradio', { name: speed, exact: true }))
    .click()
}

/** The position of a moment on the timeline, in pixels of the page, and the exact moment of a click there. */
export async function timelineOf(page: Page): Promise<{ pointOf(at: number): { x: number; y: number; at: number } }> {
  const slider = page.getByRole('slider', { name: 'Timeline' })
  const [from, to, box] = await slider.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [
      Number(element.getAttribute('aria-valuemin')) * 1000,
      Number(element.getAttribute('aria-valuemax')) * 1000,
      { left, top, width, height },
    ] as const
  })
  return {
    pointOf(at) {
      const x = Math.round(box.left + ((at - from) / (to - from)) * box.width)
      return {
        x,
        y: Math.round(box.top + box.height / 2),
        at: Math.round(from + ((x - box.left) / box.width) * (to - from)),
      }
    },
  }
}

/** Random numbers that are the same in every run, so that runs can be compared. */
export function repeatableRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
