import { type Page, expect } from 'playwright/test'
import { signInAs } from '../screens/setup.ts'

export const hour = 3_600_000
const minute = 60_000
/** Of the demo archive, with a margin of some minutes. */
const longestGap = 20 * minute

export const administrator = { name: 'admin', password: 'correct horse battery' }

/** Signs in on the page as the administrator of the tests' server. */
export async function signInByHand(page: Page): Promise<void> {
  await page.goto('/ui/')
  await page.getByLabel('Login').fill(administrator.name)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/ui/streams')
}

/** Signs in by the call, for tests that need no sign-in page; returns the server's origin. */
export async function signIn(page: Page): Promise<string> {
  const { origin } = new URL((await page.request.get('/ui/')).url())
  await signInAs(page.request, origin, administrator)
  return origin
}

export async function uidOf(page: Page, name: string): Promise<string> {
  const { items } = await (await page.request.get('/v1/streams')).json()
  return items.find((stream: { name: string }) => stream.name === name).uid
}

/** Waits until the demo archive, which is made in the background after the first start, contains a moment. */
export async function waitForArchive(page: Page, uid: string, at: number): Promise<void> {
  const isRecorded = async (from: number, to: number): Promise<boolean> => {
    const query = new URLSearchParams({
      start_time: new Date(from).toISOString(),
      end_time: new Date(to).toISOString(),
    })
    const { ranges } = await (await page.request.get(`/v1/stream/${uid}/archive/ranges?${query}`)).json()
    return ranges.length > 0 && ranges.every(({ status }: { status: number }) => status !== 0)
  }
  await expect
    .poll(
      async () =>
        (await isRecorded(at - minute, at + minute)) ||
        // Or the moment is in a gap of the demo archive, and both sides are recorded.
        ((await isRecorded(at - longestGap - minute, at - longestGap)) &&
          (await isRecorded(at + longestGap, at + longestGap + minute))),
      { timeout: 240_000 },
    )
    .toBe(true)
}

/** The moment that the player shows, epoch milliseconds; the player has a name in each language. */
export const momentOf = async (page: Page, name = 'Player'): Promise<number> =>
  Date.parse((await page.getByRole('region', { name }).locator('time').first().getAttribute('datetime')) ?? '')

/** Opens a stream's archive at a moment. */
export async function openAt(page: Page, uid: string, at: number): Promise<void> {
  await page.goto(`/ui/stream/${uid}/view?at=${new Date(at).toISOString()}`)
}

export const regionOf = (page: Page) => page.getByRole('region', { name: 'Player' })
