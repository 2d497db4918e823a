import type { APIRequestContext, BrowserContext, Locator, Page } from 'playwright/test'
import { failedRequests, problemsOf } from '../problems.ts'
import { addPlan } from './plan-world.ts'
import { wordsOf, type Language, type Words } from '../real/words.ts'

/** Opens screens, waits for them and checks them, for `npm run screens` and for the tests. */

/** The data on the server that the screens show. */
export interface World {
  readonly stream: string
  readonly mosaic: string
  readonly user: string
  readonly group: string
  readonly plan: string
  /** The token of the stream's share. */
  readonly token: string
  /** A moment of the archive, RFC 3339. */
  readonly moment: string
}

/** The replacement of a call's answer: another answer, a change of it, or no answer. */
type Override =
  | { readonly status?: number; readonly json?: unknown }
  | ((json: Record<string, unknown>) => unknown)
  | 'unreachable'

export interface ScreenSetup {
  readonly page: Page
  readonly world: World
  /** Translates a message into the language of the screen. */
  readonly text: Words
  readonly press: (message: string, values?: Readonly<Record<string, string>>) => Promise<void>
  readonly dialog: () => Locator
}

export interface Screen {
  readonly name: string
  /** The path below /ui; names in braces, such as `{stream}`, stand for those of the `World`. */
  readonly path: string
  readonly isVisitor?: boolean
  /** The path after a redirect, if there is one. */
  readonly leadsTo?: string
  readonly overrides?: Readonly<Record<string, Override>>
  /** Waits for more than the usual, and opens dialogs or menus. */
  readonly act?: (setup: ScreenSetup) => Promise<void>
  /** Requests fail, and the browser's console says so. */
  readonly isRefused?: boolean
}

const filled = (path: string, world: World): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(world, name)))

async function applyOverrides(page: Page, overrides: NonNullable<Screen['overrides']>, world: World): Promise<void> {
  for (const [path, how] of Object.entries(overrides)) {
    await page.route(
      ({ pathname }) => pathname === filled(path, world),
      async (route) => {
        if (how === 'unreachable') return route.abort('connectionrefused')
        if (typeof how !== 'function') return route.fulfill({ status: how.status ?? 200, json: how.json ?? {} })
        const response = await route.fetch()
        const json: Record<string, unknown> = await response.json()
        return route.fulfill({ response, json: how(json) })
      },
    )
  }
}

/** What the page still waits for: fonts, skeletons, pictures, and animations that end. */
const underWay = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const busy = document.querySelector('[aria-busy="true"], [data-waiting]')
    const picture = [...document.images].find(({ complete }) => !complete)
    const moving = document
      .getAnimations()
      .find((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)
    return [
      document.fonts.status === 'loaded' ? '' : 'fonts',
      document.querySelector('main') === null ? 'main' : '',
      busy === null ? '' : `busy: ${busy.outerHTML.slice(0, 120)}`,
      picture === undefined ? '' : `picture: ${picture.outerHTML.slice(0, 120)}`,
      moving === undefined ? '' : `animation: ${moving.id}`,
    ].filter((one) => one !== '')
  })

/** Waits until nothing is loading, at two checks in a row. */
async function settled(page: Page): Promise<void> {
  let quiet = 0
  for (const end = Date.now() + 20_000; quiet < 2;) {
    const left = await underWay(page)
    quiet = left.length === 0 ? quiet + 1 : 0
    if (quiet === 0 && Date.now() > end) throw new Error(`still under way: ${left.join(', ')}`)
    if (quiet < 2) await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 80)))
  }
}

/** Other tests delete streams of theirs, which the list may still show. */
const deletedStream = /^Failed to load resource: .*\b404\b.*\/v1\/stream\/preview\?/

/** Opens a screen in a new page, which the caller closes. */
export async function openScreen(
  context: BrowserContext,
  screen: Screen,
  world: World,
  language: Language,
): Promise<{ page: Page; problems: string[] }> {
  const page = await context.newPage()
  const problems = problemsOf(page, screen.isRefused === true ? failedRequests : deletedStream)
  await applyOverrides(page, screen.overrides ?? {}, world)
  await page.addInitScript(() => localStorage.removeItem('all-streams'))
  await page.goto(`/ui${filled(screen.path, world)}`)
  await page.waitForURL(
    (url) => url.pathname === `/ui${filled(screen.leadsTo ?? screen.path, world).split(/[?#]/)[0] ?? ''}`,
  )
  await page.locator(`html[lang="${language}"]`).waitFor()
  await settled(page)
  const text = wordsOf(language)
  const press: ScreenSetup['press'] = (message, values) =>
    page
      .getByRole('button', { name: text(message, values), exact: true })
      .first()
      .click()
  await screen.act?.({
    page,
    world,
    text,
    press,
    dialog: () => page.getByRole('dialog').or(page.getByRole('alertdialog')),
  })
  await settled(page)
  return { page, problems }
}

/** What the layout cuts off: a page that scrolls sideways, and text that its box hides and nothing shows in full. */
export const layoutFindings = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth) found.push(`scrolls sideways: ${scrollWidth} of ${innerWidth} px`)
    const hides = (value: string) => value === 'hidden' || value === 'clip'
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      )
      if (!hasText || element.clientWidth < 4 || element.closest('[title], [aria-hidden="true"], svg') !== null)
        continue
      const { overflowX, overflowY, clipPath, visibility } = getComputedStyle(element)
      if (visibility === 'hidden' || clipPath !== 'none') continue
      const isCutWide = hides(overflowX) && element.scrollWidth > element.clientWidth + 1
      const isCutHigh = hides(overflowY) && element.scrollHeight > element.clientHeight + 3
      if (isCutWide || isCutHigh)
        found.push(
          `cut: ${element.tagName.toLowerCase()}.${element.className.toString().slice(0, 30)} '${element.textContent?.trim().slice(0, 60) ?? ''}'`,
        )
      const { left, right, width } = element.getBoundingClientRect()
      const isScrolled = (one: Element | null): boolean =>
        one !== null &&
        (/auto|scroll|hidden|clip/.test(getComputedStyle(one).overflowX) || isScrolled(one.parentElement))
      if (width > 0 && (right > innerWidth + 1 || left < -1) && !isScrolled(element.parentElement))
        found.push(`outside: ${element.tagName.toLowerCase()} '${element.textContent?.trim().slice(0, 60) ?? ''}'`)
    }
    return [...new Set(found)]
  })

/** A window of 1440×900 at a zoom of 200 %, and the narrowest one that must work (WCAG 1.4.4, 1.4.10). */
const narrow = [
  { width: 720, height: 450 },
  { width: 320, height: 700 },
] as const

/**
 * What the layout cuts off in a narrow window; the window stays narrow. Content that is drawn by scripts has ten
 * seconds to follow.
 */
export async function reflowFindings(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const size of narrow) {
    await page.setViewportSize(size)
    let left = await layoutFindings(page)
    for (const end = Date.now() + 10_000; left.length > 0 && Date.now() < end;) {
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 80)))
      left = await layoutFindings(page)
    }
    found.push(...left.map((finding) => `${size.width} px wide ${finding}`))
  }
  return found
}

/**
 * What depends on colour alone: in forced colours, a selected, pressed or current control that looks like another one
 * that isn't.
 */
export async function forcedColourFindings(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const found = await page.evaluate(() => {
    const states = ['aria-pressed', 'aria-selected', 'aria-current', 'aria-checked']
    const isOn = (element: Element) => states.some((state) => !['false', null].includes(element.getAttribute(state)))
    const kindOf = (element: Element) =>
      `${element.tagName} ${element.getAttribute('role') ?? ''} ${element.className.toString()}`
    const lookOf = (element: Element) => {
      const {
        color,
        backgroundColor,
        borderColor,
        borderWidth,
        outlineStyle,
        outlineColor,
        outlineWidth,
        fontWeight,
        textDecorationLine,
        backgroundImage,
      } = getComputedStyle(element)
      const outline = outlineStyle === 'none' ? '' : `${outlineWidth} ${outlineColor}`
      const marks = element.querySelectorAll('svg').length
      return [
        marks,
        color,
        backgroundColor,
        borderWidth,
        borderColor,
        outline,
        fontWeight,
        textDecorationLine,
        backgroundImage,
      ].join('; ')
    }
    const all = [...document.querySelectorAll(states.map((state) => `[${state}]`).join(','))].filter((one) =>
      one.checkVisibility(),
    )
    const others = [...document.querySelectorAll('a, button, [role]')].filter(
      (one) => one.checkVisibility() && !isOn(one),
    )
    const plain = new Map(others.map((one) => [kindOf(one), lookOf(one)]))
    return all
      .filter((one) => isOn(one) && plain.get(kindOf(one)) === lookOf(one))
      .map((one) => `looks as if it were not selected: ${one.outerHTML.slice(0, 140)}`)
  })
  await page.emulateMedia({ forcedColors: 'none' })
  return found
}

/** Signs a context in. */
export async function signInAs(
  request: APIRequestContext,
  origin: string,
  data: { name: string; password: string },
): Promise<void> {
  const answer = await request.post(`${origin}/v1/sign-in`, { data, headers: { origin } })
  if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}`)
}

/** Sets the user's language in this context only, as others use the same server with the same user. */
export const setLanguage = (context: BrowserContext, language: Language) =>
  context.route('**/v1/user', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const json = response.ok() ? { ...(await response.json()), language } : undefined
    return route.fulfill({ response, json })
  })

/** Creates, once, what the screens show besides the demo cameras, as a signed-in administrator. */
export async function furnish(request: APIRequestContext, origin: string): Promise<World> {
  const get = async (path: string): Promise<Record<string, unknown>> =>
    (await request.get(`${origin}${path}`, { headers: { origin } })).json()
  const post = (path: string, data: object) => request.post(`${origin}${path}`, { data, headers: { origin } })
  const itemsOf = (answer: Record<string, unknown>): Record<string, unknown>[] =>
    Array.isArray(answer['items']) ? answer['items'] : []
  const streams = itemsOf(await get('/v1/streams'))
  const uidOf = (name: string) => String(streams.find((one) => one['name'] === name)?.['uid'] ?? streams[0]?.['uid'])
  const stream = uidOf('Gate')
  const moment = new Date(Date.now() - 1_800_000).toISOString()
  const named = async (path: string, name: string) => itemsOf(await get(path)).find((one) => one['name'] === name)
  if ((await named('/v1/mosaics', 'North side')) === undefined) {
    const cells = streams
      .slice(0, 4)
      .map((one, index) => ({ streamUid: one['uid'], x: index % 2, y: Math.floor(index / 2), w: 1, h: 1 }))
    await post('/v1/mosaic', { name: 'North side', columns: 2, rows: 2, cells })
  }
  const user = 'm.ivanova'
  if ((await named('/v1/users', user)) === undefined) {
    await post('/v1/user', {
      name: user,
      fullName: 'Maria Ivanova',
      email: 'm.ivanova@example.org',
      password: 'a gate in the north',
      permissionType: 'user',
      maxStreamCreation: 3,
    })
    await post(`/v1/user/${user}/permissions`, {
      permissions: [{ uid: stream, name: '', canView: true, canViewArchive: true, canAdmin: false }],
    })
    await post('/v1/token', { name: 'Wall display, ground floor', expireTime: null })
    await request.put(`${origin}/v1/admin/configuration`, {
      data: { values: { storage: { diskWarningPercent: 95 }, application: { site: 'https://example.org' } } },
      headers: { origin },
    })
    await post('/v1/bookmarks', {
      streamId: stream,
      time: moment,
      note: 'A van without a number plate waits at the gate',
    })
  }
  const { total } = await get('/v1/events/search?label=car')
  if (total === 0) {
    const time = (seconds: number) => new Date(Date.parse(moment) + seconds * 1000).toISOString()
    const seen = (at: number, label: string, score: number) => {
      return {
        streamId: stream,
        type: 'event',
        time: time(at),
        timeEnd: time(at + 4),
        label,
        score,
        source: 'Detector',
      }
    }
    await post('/v1/annotations', { items: [seen(0, 'car', 0.87), seen(-90, 'person', 0.64)] })
  }
  await waitForArchive(get, stream, Date.parse(moment))
  const { items: exported } = await get('/v1/exports')
  if (Array.isArray(exported) && exported.length === 0) {
    const endTime = new Date(Date.parse(moment) + 60_000).toISOString()
    await post('/v1/exports', { items: [{ streamId: stream, startTime: moment, endTime }], note: 'Case 2026-117' })
  }
  if ((await named('/v1/alerts', 'Night watch')) === undefined) {
    const to = [
      { kind: 'mail', address: 'guard@example.org' },
      { kind: 'webhook', address: 'https://hooks.example.org/sightline', secret: 'a secret for the screens' },
    ]
    const on = ['stream.failed', 'stream.recovered', 'disk.full', 'event']
    await post('/v1/alerts', { name: 'Night watch', on, labels: ['person'], quietMinutes: 10, to })
  }
  if ((await named('/v1/groups', 'Guards')) === undefined) {
    const idOf = async (data: object): Promise<string> => {
      const answer: Record<string, unknown> = await (await post('/v1/groups', data)).json()
      return String(answer['id'])
    }
    const uids = streams.map((one) => one['uid'])
    const yard = await idOf({ kind: 'streams', name: 'Yard', members: uids.slice(0, 3) })
    await idOf({ kind: 'streams', name: 'Warehouse', members: uids.slice(3) })
    const guards = await idOf({ kind: 'users', name: 'Guards', members: [user] })
    await idOf({ kind: 'users', name: 'Managers' })
    await request.put(`${origin}/v1/group/${guards}/permissions`, {
      data: {
        permissions: [
          { streamGroupId: yard, canViewArchive: true },
          { streamId: uids.at(-1), canView: true },
        ],
      },
      headers: { origin },
    })
  }
  const group = String((await named('/v1/groups', 'Guards'))?.['id'])
  const plan = await addPlan(
    request,
    origin,
    streams.map((one) => String(one['uid'])),
  )
  const mosaic = String((await named('/v1/mosaics', 'North side'))?.['id'])
  for (const one of streams)
    await waitFor(
      async () =>
        one['status'] !== 'running' ||
        (await request.get(`${origin}/v1/stream/preview?stream_id=${String(one['uid'])}`)).status() === 200,
    )
  const { token } = await get(`/v1/stream/${stream}/share`)
  return { stream, mosaic, user, group, plan, moment, token: String(token) }
}

/** Waits until the demo archive, which is made in the background after the first start, contains a moment. */
function waitForArchive(
  get: (path: string) => Promise<Record<string, unknown>>,
  uid: string,
  at: number,
): Promise<void> {
  const query = new URLSearchParams({
    start_time: new Date(at - 60_000).toISOString(),
    end_time: new Date(at + 60_000).toISOString(),
  })
  return waitFor(async () => {
    const { ranges } = await get(`/v1/stream/${uid}/archive/ranges?${query}`)
    return Array.isArray(ranges) && ranges.length > 0 && ranges.every((range: { status: number }) => range.status !== 0)
  })
}

/** Asks twice a second, for four minutes. */
async function waitFor(isThere: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 480; tries += 1) {
    if (await isThere()) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('the demo cameras did not come')
}
