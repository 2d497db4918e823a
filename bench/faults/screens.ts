import type { Page } from 'playwright'
import { administrator, hour, momentOf, openAt } from '../../e2e/real/session.ts'

/** The screens to test with faults. */
export interface Screen {
  readonly name: string
  readonly isSignedOut?: boolean
  readonly hasVideo?: boolean
  open(page: Page, world: World): Promise<void>
  /** What a user does during the fault. */
  during?(page: Page): Promise<unknown>
  /**
   * Whether the screen works, by what it has received since a moment in epoch milliseconds; typed text must not be
   * lost.
   */
  works(page: Page, since: number): Promise<boolean>
}

export interface World {
  readonly uid: string
  /** A stream that is always recorded. */
  readonly recorded: string
  readonly mosaic: string
}

/** Whether every picture moves. */
async function moves(page: Page, count: number): Promise<boolean> {
  const read = () =>
    page
      .locator('video')
      .evaluateAll((videos) =>
        videos.map((video) =>
          video instanceof HTMLVideoElement && video.readyState > 1 ? video.currentTime : Number.NaN,
        ),
      )
  const before = await read()
  await page.waitForTimeout(700)
  const after = await read()
  return after.length === count && after.every((time, index) => time > (before[index] ?? Number.NaN))
}

const patience = { timeout: 2000 }
const typed = 'Typed by hand'
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

const answers = new WeakMap<Page, { streams: number }>()

/** Records when the list last got a complete answer. */
function listen(page: Page): void {
  const last = { streams: 0 }
  answers.set(page, last)
  page.on('requestfinished', async (request) => {
    if (new URL(request.url()).pathname !== '/v1/streams') return
    const body = await (await request.response())?.json().catch(() => null)
    if (typeof body === 'object' && body !== null && 'items' in body) last.streams = Date.now()
  })
}

const begun = new WeakMap<Page, number>()

export const screens: readonly Screen[] = [
  {
    name: 'live',
    hasVideo: true,
    open: async (page, { uid }) => void (await page.goto(`/ui/stream/${uid}/view`)),
    works: (page) => moves(page, 1),
  },
  {
    name: 'archive',
    hasVideo: true,
    async open(page, { uid }) {
      begun.set(page, Date.now())
      await openAt(page, uid, Date.now() - hour / 2)
    },
    /** Playback may repeat up to a segment and must not skip: no more media can have played than time has passed. */
    async works(page) {
      const wasAt = (begun.get(page) ?? 0) - hour / 2
      const at = await momentOf(page)
      return at >= wasAt - 5000 && at <= wasAt + (Date.now() - (begun.get(page) ?? 0)) + 5000 && moves(page, 1)
    },
  },
  {
    name: 'mosaic',
    hasVideo: true,
    open: async (page, { mosaic }) => void (await page.goto(`/ui/mosaic/${mosaic}`)),
    works: (page) => moves(page, 2),
  },
  {
    name: 'list',
    async open(page) {
      listen(page)
      await page.goto('/ui/streams')
    },
    async works(page, since) {
      return (answers.get(page)?.streams ?? 0) > since && (await page.getByRole('link', { name: 'Gate' }).count()) > 0
    },
  },
  {
    name: 'form half filled in',
    async open(page, { uid }) {
      await page.goto(`/ui/stream/${uid}/setting`)
      await page.getByLabel('Location').fill(typed)
    },
    during: (page) => save(page).click(patience),
    async works(page, since) {
      if ((await page.getByLabel('Location').inputValue(patience)) !== typed) throw new Error('what was typed is lost')
      if (since === 0) return true
      await save(page).click(patience)
      await page
        .getByRole('region', { name: 'Notifications' })
        .getByText('Stream settings has been saved')
        .waitFor(patience)
      return true
    },
  },
  {
    name: 'signing in',
    isSignedOut: true,
    async open(page) {
      await page.goto('/ui/auth')
      await page.getByLabel('Login').fill(administrator.name)
      await page.getByLabel('Password', { exact: true }).fill(administrator.password)
    },
    during: (page) => page.getByRole('button', { name: 'Sign in' }).click(patience),
    async works(page, since) {
      if (since === 0) return true
      if (new URL(page.url()).pathname === '/ui/streams') return true
      await page.getByRole('button', { name: 'Sign in' }).click(patience)
      await page.waitForURL('**/ui/streams', patience)
      return true
    },
  },
]
