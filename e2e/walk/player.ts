import { expect, type Locator, type Page } from 'playwright/test'
import { uidOf, waitForArchive } from '../real/session.ts'
import { AlteredServer, minute } from './altered-server.ts'
import { test as walkTest } from './walk.ts'

/** The player of a camera (by default Gate) in front of a server whose answers can be changed. */
export class PlayerScreen {
  readonly region: Locator
  readonly timeline: Locator
  private readonly page: Page
  private uid = ''

  constructor(page: Page) {
    this.page = page
    this.region = page.getByRole('region', { name: 'Player' })
    this.timeline = this.region.getByRole('slider', { name: 'Timeline' })
  }

  async signIn(origin: string, camera: string): Promise<void> {
    const reply = await this.page.request.post('/v1/sign-in', {
      headers: { origin },
      data: { name: 'admin', password: 'correct horse battery' },
    })
    expect(reply.ok()).toBe(true)
    this.uid = await uidOf(this.page, camera)
    await waitForArchive(this.page, this.uid, Date.now() - 45 * minute)
  }

  /** Opens the player live, or in the archive with `at`. */
  async open(query: Readonly<Record<string, number | string>> = {}): Promise<void> {
    const parameters = Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'number' ? new Date(value).toISOString() : value,
    ])
    await this.page.goto(`/ui/stream/${this.uid}/view?${new URLSearchParams(Object.fromEntries(parameters))}`)
    await expect(this.region).toBeVisible()
  }

  button(name: string): Locator {
    return this.region.getByRole('button', { name, exact: true })
  }

  /** Presses a key while the picture has the focus. */
  async key(key: string): Promise<void> {
    await this.region.locator('[tabindex="-1"]').first().focus()
    await this.page.keyboard.press(key)
  }

  async expectMode(mode: 'live' | 'archive'): Promise<void> {
    await expect(this.region).toHaveAttribute('data-view-mode', mode)
  }

  /** Waits until new frames are shown. */
  async expectPlaying(): Promise<void> {
    await expect(this.button('Pause')).toBeVisible()
    const played = () => this.region.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)
    const before = await played()
    await expect.poll(played).not.toBe(before)
  }

  /** Waits until the frame shown is of a time in the range, epoch milliseconds. */
  async expectShown({ from, to }: { from: number; to: number }): Promise<void> {
    await expect(async () => {
      const at = Date.parse((await this.region.locator('time').first().getAttribute('datetime')) ?? '')
      expect(at).toBeGreaterThanOrEqual(from)
      expect(at).toBeLessThan(to)
    }).toPass({ timeout: 60_000 })
  }

  /** The position of a moment on the timeline, in pixels of the page. */
  async pointOf(at: number): Promise<{ x: number; y: number }> {
    const box = await this.timeline.boundingBox()
    const [from, to] = await Promise.all(
      ['aria-valuemin', 'aria-valuemax'].map(async (name) => Number(await this.timeline.getAttribute(name)) * 1000),
    )
    if (box === null || from === undefined || to === undefined) throw new Error('no timeline')
    return { x: box.x + ((at - from) / (to - from)) * box.width, y: box.y + box.height / 2 }
  }

  async pick(at: number): Promise<void> {
    const { x, y } = await this.pointOf(at)
    await this.page.mouse.click(x, y)
  }
}

export const test = walkTest.extend<{ server: AlteredServer; camera: string; player: PlayerScreen }>({
  server: async ({ page }, use) => {
    const server = new AlteredServer()
    await server.watch(page)
    await use(server)
    server.restore()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  camera: ['Gate', { option: true }],
  player: async ({ page, baseURL, camera }, use) => {
    const player = new PlayerScreen(page)
    await player.signIn(baseURL ?? '', camera)
    await use(player)
  },
})
