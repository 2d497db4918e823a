import process from 'node:process'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright'
import { browserArgs, findBrowser } from '../scripts/browser.ts'

/**
 * Measures the player against a running server with its demo streams: click → first frame, seek → first frame, and the
 * time that the player shows against the time in the strip of the frame on the screen.
 * node bench/player.ts --address http://127.0.0.1:8080 --login admin --password … [--stream Gate] [--rounds 20] [--seeks 40] [--json FILE]
 */
const { values } = parseArgs({
  options: {
    address: { type: 'string', default: 'http://127.0.0.1:8080' },
    login: { type: 'string', default: 'admin' },
    password: { type: 'string', default: process.env['ADMIN_PASSWORD'] ?? '' },
    stream: { type: 'string', default: 'Gate' },
    rounds: { type: 'string', default: '20' },
    seeks: { type: 'string', default: '40' },
    json: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const seeks = Number(values.seeks)

interface Reading {
  /** What the player shows, and what the strip of the drawn frame says, both in epoch milliseconds. */
  shown: number
  strip: number
}

/** Runs in the page: 32 cells along the top of the picture carry the frame's time in 1/25 s modulo 2^32. */
const pageScript = () => {
  const canvas = document.createElement('canvas')
  const read = (): { shown: number; strip: number } | null => {
    const video = document.querySelector('video')
    const datetime = document.querySelector('[data-view-mode] time')?.getAttribute('datetime')
    if (video === null || video.readyState < 2 || datetime == null) return null
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    const pen = canvas.getContext('2d', { willReadFrequently: true })
    if (pen === null) return null
    pen.drawImage(video, 0, 0)
    const row = pen.getImageData(0, Math.round(video.videoHeight / 60), video.videoWidth, 1).data
    const cell = video.videoWidth / 32
    let units = 0
    for (let index = 0; index < 32; index += 1) units = units * 2 + ((row[Math.floor((index + 0.5) * cell) * 4] ?? 0) > 128 ? 1 : 0)
    const shown = Date.parse(datetime)
    const near = Math.floor(shown / 40)
    const apart = ((((units - (near % 2 ** 32) + 2 ** 31) % 2 ** 32) + 2 ** 32) % 2 ** 32) - 2 ** 31
    return { shown, strip: (near + apart) * 40 }
  }
  const until = (test: (reading: { shown: number; strip: number }) => boolean): Promise<number> =>
    new Promise((resolve) => {
      const began = performance.now()
      const look = () => {
        const reading = read()
        if (reading !== null && test(reading)) resolve(performance.now() - began)
        else if (performance.now() - began > 15_000) resolve(Number.NaN)
        else requestAnimationFrame(look)
      }
      look()
    })
  Object.assign(globalThis, { sightlineBench: { read, until } })
}

declare global {
  var sightlineBench: { read(): Reading | null; until(test: (reading: Reading) => boolean): Promise<number> }
}

const sorted = (list: readonly number[]) => list.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b)
const quantile = (list: readonly number[], part: number) => sorted(list)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? Number.NaN

function summary(list: readonly number[]) {
  const round = (value: number) => Math.round(value * 10) / 10
  return {
    count: list.length,
    lost: list.filter((value) => Number.isNaN(value)).length,
    median: round(quantile(list, 0.5)),
    p95: round(quantile(list, 0.95)),
    worst: round(Math.max(...sorted(list))),
  }
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${values.address}/ui/auth`)
  await page.getByRole('textbox', { name: 'Login' }).fill(values.login)
  await page.locator('input[type=password]').fill(values.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/ui\/streams/)
}

async function uidOf(page: Page): Promise<string> {
  const uid = await page.evaluate(async (name) => {
    const response = await fetch('/v1/streams')
    const { items }: { items: { uid: string; name: string }[] } = await response.json()
    return (items.find((item) => item.name === name) ?? items[0])?.uid ?? ''
  }, values.stream)
  if (uid === '') throw new Error('the server has no streams')
  return uid
}

/** From the press on a stream's link in the list to its first live frame. */
async function openings(page: Page, uid: string): Promise<number[]> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`${values.address}/ui/streams`)
    await page.waitForLoadState('networkidle')
    taken.push(
      await page.evaluate(async (path) => {
        history.pushState(null, '', path)
        return globalThis.sightlineBench.until(() => true)
      }, `/ui/stream/${uid}/view`),
    )
  }
  return taken
}

/** The clock against the strip, `count` readings, one every 150 ms or so. */
async function clock(page: Page, count: number): Promise<number[]> {
  return page.evaluate(async (wanted) => {
    const errors: number[] = []
    while (errors.length < wanted) {
      await new Promise((resolve) => {
        setTimeout(resolve, 110 + errors.length)
      })
      await new Promise(requestAnimationFrame)
      const reading = globalThis.sightlineBench.read()
      errors.push(reading === null ? Number.NaN : Math.abs(reading.strip - Math.floor(reading.shown / 40) * 40))
    }
    return errors
  }, count)
}

/** Presses on the timeline, at moments of `stretches`, to the first frame within a second of the moment. */
async function seekings(page: Page, stretches: readonly { from: number; to: number }[]): Promise<number[]> {
  const slider = page.getByRole('slider', { name: 'Timeline' })
  const taken: number[] = []
  for (let round = 0; round < seeks; round += 1) {
    const box = await slider.boundingBox()
    const [min, max] = [Number(await slider.getAttribute('aria-valuemin')), Number(await slider.getAttribute('aria-valuemax'))]
    const stretch = stretches[(round * 7) % stretches.length]
    if (box === null || stretch === undefined) throw new Error('nothing to seek')
    const at = (stretch.from + (stretch.to - stretch.from) * ((round * 0.381_966) % 1)) / 1000
    const x = box.x + (box.width * (at - min)) / (max - min)
    const aimed = (min + ((Math.round(x) - box.x) / box.width) * (max - min)) * 1000
    const arrived = page.evaluate(
      ({ moment, slack }) => globalThis.sightlineBench.until(({ shown, strip }) => Math.abs(shown - moment) < slack && Math.abs(shown - strip) < 200),
      { moment: aimed, slack: 1500 + (1000 * (max - min)) / box.width },
    )
    await page.mouse.click(Math.round(x), box.y + box.height / 2)
    taken.push(await arrived)
  }
  return taken
}

async function recorded(page: Page, uid: string): Promise<{ from: number; to: number }[]> {
  return page.evaluate(async (stream) => {
    const [hour, now] = [3_600_000, Date.now()]
    const found: { from: number; to: number }[] = []
    for (let start = now - 6 * hour; start < now - hour / 4; start += 2 * hour) {
      const query = new URLSearchParams({ start_time: new Date(start).toISOString(), end_time: new Date(Math.min(start + 2 * hour, now - 120_000)).toISOString() })
      const response = await fetch(`/v1/stream/${stream}/archive/ranges?${query}`)
      const { period, ranges }: { period: { endTime: string }; ranges: { date: string; status: number }[] } = await response.json()
      for (const [index, { date, status }] of ranges.entries()) {
        const [from, to] = [Date.parse(date), Date.parse(ranges[index + 1]?.date ?? period.endTime)]
        if (status !== 0 && to - from > 300_000) found.push({ from: from + 60_000, to: to - 120_000 })
      }
    }
    return found
  }, uid)
}

const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArgs })
try {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await page.addInitScript(pageScript)
  await signIn(page)
  const uid = await uidOf(page)
  const opened = await openings(page, uid)
  await page.waitForTimeout(2000)
  const live = await clock(page, 50)
  const latency = await page.evaluate(() => Date.now() - (globalThis.sightlineBench.read()?.strip ?? Number.NaN))
  const sought = await seekings(page, await recorded(page, uid))
  const archive = await clock(page, 50)
  await page.getByRole('button', { name: /Speed/ }).click()
  await page.getByRole('menuitem', { name: '16×' }).click()
  await page.waitForTimeout(1500)
  const fast = await clock(page, 50)
  const table = {
    'click → first frame, ms': summary(opened),
    'seek → first frame, ms': summary(sought),
    'clock error live, ms': summary(live),
    'clock error archive, ms': summary(archive),
    'clock error archive at 16×, ms': summary(fast),
    'behind live, ms': summary([latency]),
  }
  console.table(table)
  if (values.json !== undefined) {
    const { writeFile } = await import('node:fs/promises')
    await writeFile(values.json, `${JSON.stringify(table, null, 2)}\n`)
  }
} finally {
  await browser.close()
}
