import type { CDPSession, Page } from 'playwright'
import type { Figure } from './figures.ts'
import { fillSignIn, withBrowser } from './harness.ts'
import { signIn, startServer, type Server } from './server.ts'

const rounds = 3
const watchMs = 15_000
const zooms = 40

async function addCamera(server: Server): Promise<string> {
  const response = await fetch(`${server.address}/v1/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: await signIn(server), origin: server.address },
    body: JSON.stringify({ name: 'Gate', streamSource: 'demo:gate' }),
  })
  const { uid }: { uid: string } = await response.json()
  return uid
}

/** Frames of the player on the screen, for each second. */
const measureFrameRate = (page: Page): Promise<number> =>
  page.locator('video').evaluate(
    (video: HTMLVideoElement, forMs) =>
      new Promise<number>((resolve) => {
        const first = { at: 0, frames: 0 }
        const count: VideoFrameRequestCallback = (now, { presentedFrames }) => {
          if (first.at === 0) Object.assign(first, { at: now, frames: presentedFrames })
          if (now - first.at >= forMs) resolve(((presentedFrames - first.frames) * 1000) / (now - first.at))
          else video.requestVideoFrameCallback(count)
        }
        video.requestVideoFrameCallback(count)
      }),
    watchMs,
  )

/**
 * Milliseconds of scripting while the timeline is zoomed forty times, two frames apart. The clicks are made in the
 * page, as the driver would search the whole document, with the inspector in it, by its own script.
 */
async function measureScripting(page: Page, cdp: CDPSession): Promise<number> {
  const read = async () =>
    (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration')?.value ??
    Number.NaN
  const [zoomIn, zoomOut] = await Promise.all(
    ['Zoom in', 'Zoom out'].map((name) => page.getByRole('button', { name, exact: true }).first().elementHandle()),
  )
  const before = await read()
  for (let zoom = 0; zoom < zooms; zoom += 1) {
    await (zoom % 2 === 0 ? zoomIn : zoomOut)?.evaluate(
      (button: HTMLElement) =>
        new Promise<void>((resolve) => {
          button.click()
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
        }),
    )
  }
  return ((await read()) - before) * 1000
}

/** How many events were recorded: the number of the newest one in the log. */
async function countEvents(page: Page): Promise<number> {
  await page.waitForTimeout(1000)
  return Number(
    await page.getByRole('listbox', { name: 'Events' }).locator('[data-key]').first().getAttribute('data-key'),
  )
}

async function measure(server: Server, page: Page, cdp: CDPSession): Promise<Figure[]> {
  const uid = await addCamera(server)
  await fillSignIn(page, server)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/ui\/streams/)
  await page.goto(`${server.address}/ui/stream/${uid}/view`)
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor({ timeout: 60_000 })
  await cdp.send('Performance.enable')
  const found = { pictures: [[], []] as [number[], number[]], added: [] as number[] }
  const tree = page.getByRole('tree', { name: 'Actors' })
  for (let round = 0; round < rounds; round += 1) {
    found.pictures[0].push(await measureFrameRate(page))
    const closed = await measureScripting(page, cdp)
    await page.keyboard.press('Control+Shift+M')
    await tree.waitFor()
    found.pictures[1].push(await measureFrameRate(page))
    const before = await countEvents(page)
    const open = await measureScripting(page, cdp)
    found.added.push((open - closed) / ((await countEvents(page)) - before))
    await page.keyboard.press('Control+Shift+M')
    await tree.waitFor({ state: 'detached' })
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [without, docked] = [mean(found.pictures[0]), mean(found.pictures[1])]
  return [
    { name: 'Pictures without the inspector', values: found.pictures[0], unit: 'a second', goal: {} },
    { name: 'Pictures beside the inspector', values: found.pictures[1], unit: 'a second', goal: {} },
    {
      name: 'Change of the frame rate',
      values: [(Math.abs(docked - without) / without) * 100],
      unit: '%',
      goal: { worst: 5 },
    },
    { name: 'Scripting that the inspector adds to an event', values: found.added, unit: 'ms', goal: { worst: 3 } },
  ]
}

/**
 * The cost of the docked inspector beside a player at 1×, in the development build: frames for each second, and
 * scripting for each event (the difference that the inspector makes to forty zooms of the timeline, divided by the
 * logged events).
 */
export async function inspector(): Promise<Figure[]> {
  const server = await startServer(true, { hasDemo: false, program: 'scripts/dev.ts', port: 8190 })
  try {
    return await withBrowser((page, cdp) => measure(server, page, cdp))
  } finally {
    await server.stop()
  }
}
