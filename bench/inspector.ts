import type { CDPSession, Page } from 'playwright'
import type { Figure } from './figures.ts'
import { fillSignIn, withBrowser } from './harness.ts'
import { signIn, startServer, type Server } from './server.ts'

const rounds = 3
const watchMs = 15_000
const presses = 40

async function addCamera(server: Server): Promise<string> {
  const response = await fetch(`${server.address}/v1/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: await signIn(server), origin: server.address },
    body: JSON.stringify({ name: 'Gate', streamSource: 'demo:gate' }),
  })
  const { uid }: { uid: string } = await response.json()
  return uid
}

/** Pictures that the player put on the screen, a second. */
const picturesOf = (page: Page): Promise<number> =>
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

async function scriptingOf(page: Page, cdp: CDPSession): Promise<number> {
  const read = async () => (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
  const before = await read()
  for (let press = 0; press < presses; press += 1) {
    await page.getByRole('button', { name: press % 2 === 0 ? 'Zoom in' : 'Zoom out', exact: true }).first().click()
  }
  return (((await read()) - before) * 1000) / presses
}

async function measure(server: Server, page: Page, cdp: CDPSession): Promise<Figure[]> {
  const uid = await addCamera(server)
  await fillSignIn(page, server)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/ui\/streams/)
  await page.goto(`${server.address}/ui/stream/${uid}/view`)
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor({ timeout: 60_000 })
  await cdp.send('Performance.enable')
  const found = { pictures: [[], []] as [number[], number[]], scripting: [[], []] as [number[], number[]] }
  for (let turn = 0; turn < rounds * 2; turn += 1) {
    const isOpen = turn % 2
    found.pictures[isOpen === 1 ? 1 : 0].push(await picturesOf(page))
    found.scripting[isOpen === 1 ? 1 : 0].push(await scriptingOf(page, cdp))
    await page.keyboard.press('Control+Shift+M')
    await page.getByRole('tree', { name: 'Actors' }).waitFor({ state: isOpen === 1 ? 'detached' : 'visible' })
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [without, beside] = [mean(found.pictures[0]), mean(found.pictures[1])]
  return [
    { name: 'Pictures without the inspector', values: found.pictures[0], unit: 'a second', goal: {} },
    { name: 'Pictures beside the inspector', values: found.pictures[1], unit: 'a second', goal: {} },
    { name: 'Change of the frame rate', values: [(Math.abs(beside - without) / without) * 100], unit: '%', goal: { worst: 5 } },
    { name: 'Scripting that the inspector adds to an event', values: [mean(found.scripting[1]) - mean(found.scripting[0])], unit: 'ms', goal: { worst: 3 } },
  ]
}

/**
 * What the inspector, docked beside the player at 1×, takes of it in the developers' build: pictures a second, and scripting an
 * event, which is what forty zooms of the timeline take more than with the inspector closed.
 */
export async function inspector(): Promise<Figure[]> {
  const server = await startServer(true, { hasDemo: false, program: 'scripts/dev.ts', port: 8190 })
  try {
    return await withBrowser((page, cdp) => measure(server, page, cdp))
  } finally {
    await server.stop()
  }
}
