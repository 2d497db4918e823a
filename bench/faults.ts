import type { Browser, Page } from 'playwright'
import { chromium } from 'playwright'
import { expect } from 'playwright/test'
import { ownServer } from '../e2e/own-server.ts'
import { administrator } from '../e2e/real/session.ts'
import { signInAs } from '../e2e/screens/setup.ts'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { startCamera } from './faults/camera.ts'
import { smallDisk } from './faults/disk.ts'
import { type Fault, type Scene, faults as all } from './faults/faults.ts'
import { type Screen, type World, screens } from './faults/screens.ts'
import type { Figure } from './figures.ts'
import { openReadSession, waitForDemo } from './server.ts'

const openMs = 60_000
const patienceMs = 120_000

/** When the screen works again, in epoch milliseconds; NaN if not within the time. */
async function whenItWorks(page: Page, screen: Screen, since: number, forMs: number): Promise<number> {
  for (const end = Date.now() + forMs; Date.now() < end;) {
    const works = await screen.works(page, since).catch((error: Error) => {
      if (error.message === 'what was typed is lost') throw error
      return false
    })
    if (works) return Date.now()
    await page.waitForTimeout(200)
  }
  return Number.NaN
}

/** Waits until something of a stream was recorded since a moment. */
async function whenItRecords(page: Page, uid: string, since: number): Promise<void> {
  const newest = async () => {
    const { period } = await (await page.request.get(`/v1/stream/${uid}/archive/stats`)).json()
    return new Date(period?.endTime ?? Number.NaN).getTime()
  }
  await expect.poll(newest, { timeout: patienceMs, message: 'recording again' }).toBeGreaterThan(since)
}

/** The error messages of the page. */
const messagesOn = (page: Page) =>
  page
    .locator('[role=status], [role=alert], [aria-label=Notifications] > *, [role=region] h2, [aria-invalid=true] ~ *')
    .evaluateAll((all) =>
      [...new Set(all.map((one) => one.textContent?.trim() ?? '').filter((text) => text !== ''))]
        .join(' | ')
        .slice(0, 200),
    )

interface Setting {
  readonly browser: Browser
  readonly scene: Omit<Scene, 'page'>
  readonly world: World
}

/** Seconds from the end of the fault until the screen works again without a reload; NaN if it doesn't. */
async function survive({ browser, scene, world }: Setting, fault: Fault, screen: Screen): Promise<number> {
  const context = await browser.newContext({
    baseURL: scene.server.address,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  })
  const complaints: string[] = []
  try {
    if (screen.isSignedOut !== true) await signInAs(context.request, scene.server.address, administrator)
    await fault.prepare?.(context)
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => complaints.push(message))
    const began = Date.now()
    await screen.open(page, world)
    await whenItWorks(page, screen, 0, openMs)
    if (fault.inflict === undefined) {
      const worked = await whenItWorks(page, screen, began, openMs)
      return complaints.length > 0 ? Number.NaN : (worked - began) / 1000
    }
    await page.evaluate(() => Object.assign(globalThis, { isOfBefore: true }))
    const relieve = await fault.inflict({ ...scene, page })
    await screen.during?.(page).catch(() => undefined)
    await page.waitForTimeout(fault.holdsMs)
    const isSpared =
      fault.spares?.(screen) !== true || !Number.isNaN(await whenItWorks(page, screen, Date.now(), openMs))
    if (!isSpared) process.stdout.write(`  ${fault.name}, ${screen.name}: did not go on meanwhile\n`)
    process.stdout.write(`  ${fault.name}, ${screen.name}: ${await messagesOn(page)}\n`)
    await relieve()
    const ended = Date.now()
    const worked = await whenItWorks(page, screen, ended, patienceMs)
    if (fault.stopsRecording === true) await whenItRecords(page, world.recorded, ended)
    const isSame = await page.evaluate(() => 'isOfBefore' in globalThis)
    if (!isSame) process.stdout.write(`  ${fault.name}, ${screen.name}: the page was loaded anew\n`)
    return isSame && isSpared && complaints.length === 0 ? (worked - ended) / 1000 : Number.NaN
  } catch (error) {
    process.stdout.write(`  ${fault.name}, ${screen.name}: ${String(error).slice(0, 300)}\n`)
    return Number.NaN
  } finally {
    for (const complaint of complaints) process.stdout.write(`  ${fault.name}, ${screen.name}: ${complaint}\n`)
    await context.close()
  }
}

/** After a sign-out in one tab, the other shows sign-in by itself within seconds. */
async function twoTabs({ browser, scene }: Setting): Promise<number> {
  const context = await browser.newContext({ baseURL: scene.server.address })
  try {
    await signInAs(context.request, scene.server.address, administrator)
    const [one, other] = [await context.newPage(), await context.newPage()]
    await Promise.all([one.goto('/ui/streams'), other.goto('/ui/streams')])
    await one.getByRole('button', { name: 'Menu' }).click()
    await one.getByRole('menuitem', { name: 'Log out' }).click()
    const ended = Date.now()
    await other.waitForURL('**/ui/auth**', { timeout: patienceMs })
    return (Date.now() - ended) / 1000
  } finally {
    await context.close()
  }
}

/**
 * Every fault whose name matches `wanted`, on each of its screens, with real processes: seconds from the fault's end
 * until the screen works again by itself. A lost value is a screen that didn't recover, was reloaded, lost typed text,
 * or threw an error.
 */
export async function faults(wanted: RegExp): Promise<Figure[]> {
  const camera = await startCamera()
  const picked = all.filter(({ name }) => wanted.test(name))
  const disk = picked.some(({ needsDisk }) => needsDisk === true) ? smallDisk() : null
  const possible = picked.filter(({ needsDisk }) => needsDisk !== true || disk !== null)
  for (const { name } of picked.filter((fault) => !possible.includes(fault)))
    process.stdout.write(`${name}: left out, as no file system may be mounted here\n`)
  const server = ownServer(0, {
    env: { SETTING_SOURCES_ALLOW_LOOPBACK: 'true' },
    ...(disk === null ? {} : { data: disk.data }),
  })
  await server.start()
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArgs })
  try {
    const gate = await waitForDemo(
      await openReadSession({ address: server.address, login: administrator.name, password: administrator.password }),
      'Gate',
    )
    const context = await browser.newContext({ baseURL: server.address })
    await signInAs(context.request, server.address, administrator)
    const headers = { origin: server.address }
    const made = await context.request.post('/v1/stream', {
      data: { name: 'Real', streamSource: camera.url, archive: { isEnable: true, depthHours: 1 } },
      headers,
    })
    const { uid: real }: { uid: string } = await made.json()
    const cells = [gate, real].map((streamUid, x) => ({ streamUid, x, y: 0, w: 1, h: 1 }))
    const { id: mosaic }: { id: string } = await (
      await context.request.post('/v1/mosaic', { data: { name: 'Two', columns: 2, rows: 1, cells }, headers })
    ).json()
    await context.close()
    const figures: Figure[] = []
    for (const fault of possible) {
      for (const screen of screens.filter((one) => fault.isFor?.(one) ?? true)) {
        const isOfCamera = fault.name.startsWith('camera') && screen.name === 'live'
        const seconds = await survive(
          {
            browser,
            scene: { server, camera, disk },
            world: { uid: isOfCamera ? real : gate, recorded: gate, mosaic },
          },
          fault,
          screen,
        )
        process.stdout.write(
          `${fault.name}, ${screen.name}: ${Number.isNaN(seconds) ? 'NOT survived' : `${seconds} s`}\n`,
        )
        figures.push({ name: `${fault.name}: ${screen.name}`, values: [seconds], unit: 's', goal: { lost: 0 } })
      }
    }
    const another = 'signed out in another tab: list'
    if (wanted.test(another))
      figures.push({
        name: another,
        values: [
          await twoTabs({
            browser,
            scene: { server, camera, disk },
            world: { uid: gate, recorded: gate, mosaic },
          }).catch(() => Number.NaN),
        ],
        unit: 's',
        goal: { lost: 0 },
      })
    return figures
  } finally {
    await browser.close()
    await server.dispose()
    camera.close()
    disk?.close()
  }
}
