import { type Page, expect } from 'playwright/test'
import { signInAs } from '../screens/setup.ts'

export const hour = 3_600_000
const minute = 60_000
/** Of the demo archive, with some minutes to spare. */
const longestGap = 20 * minute

export const administrator = { name: 'admin', password: 'correct horse battery' }

/** Signs in as the administrator that the tests' server is started with, as somebody would. */
export async function signInByHand(page: Page): Promise<void> {
  await page.goto('/ui/')
  await page.getByLabel('Login').fill(administrator.name)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/ui/streams')
}

/** Signs in by the call alone, for tests that go elsewhere at once; answers with the server's origin. */
export async function signIn(page: Page): Promise<string> {
  const { origin } = new URL((await page.request.get('/ui/')).url())
  await signInAs(page.request, origin, administrator)
  return origin
}

export async function uidOf(page: Page, name: string): Promise<string> {
  const { items } = await (await page.request.get('/v1/streams')).json()
  return items.find((stream: { name: string }) => stream.name === name).uid
}

/** The demo archive is made in the background after the first start; waits until it holds a moment. */
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
        // It lies in a gap of the demo archive: what is on both sides of it is there.
        ((await isRecorded(at - longestGap - minute, at - longestGap)) &&
          (await isRecorded(at + longestGap, at + longestGap + minute))),
      { timeout: 240_000 },
    )
    .toBe(true)
}

/** The moment that the player shows, epoch milliseconds. */
export const momentOf = async (page: Page): Promise<number> =>
  Date.parse(
    (await page
      .getByRole('region', { name: 'Player' })
      .locator('time')
      .first()
      .getAttribute('datetime', { timeout: 2000 })) ?? '',
  )

/** Opens a stream's archive at a moment. */
export async function openAt(page: Page, uid: string, at: number): Promise<void> {
  await page.goto(`/ui/stream/${uid}/view?at=${new Date(at).toISOString()}`)
}
