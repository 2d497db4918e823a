import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { hour, openAt, signIn, uidOf, waitForArchive } from './session.ts'

declare global {
  interface Window {
    /** What the policy of a page refused, reported to the test. */
    refused: (what: string) => void
  }
}

/**
 * Every violation of the policy, and the console's messages about a policy, from here on; other tests read its other
 * messages.
 */
async function complaintsOf(page: Page): Promise<string[]> {
  const complaints: string[] = []
  await page.exposeFunction('refused', (what: string) => complaints.push(what))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      window.refused(`${violatedDirective} ${blockedURI} ${sourceFile}`),
    )
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (/policy|trusted/i.test(message.text())) complaints.push(`${message.text()} ${message.location().url}`)
  })
  return complaints
}

const expectPlaying = (page: Page, count: number) =>
  expect
    .poll(
      () =>
        page
          .locator('video')
          .evaluateAll(
            (videos) =>
              videos.filter(
                (video) => video instanceof HTMLVideoElement && video.currentTime > 0 && video.videoWidth > 0,
              ).length,
          ),
      { timeout: 60_000 },
    )
    .toBe(count)

test('live video, archive, mosaic, help and the page of calls keep the policy to the letter', async ({ page }) => {
  const complaints = await complaintsOf(page)
  await signIn(page)
  const uid = await uidOf(page, 'Gate')
  await page.goto(`/ui/stream/${uid}/view`)
  await expectPlaying(page, 1)
  const at = Date.now() - hour / 2
  await waitForArchive(page, uid, at)
  await openAt(page, uid, at)
  await expectPlaying(page, 1)
  const cells = [0, 1].map((x) => ({ streamUid: uid, x, y: 0, w: 1, h: 1 }))
  const { id } = await (
    await page.request.post('/v1/mosaic', {
      data: { name: 'Two', columns: 2, rows: 1, cells },
      headers: { origin: new URL(page.url()).origin },
    })
  ).json()
  await page.goto(`/ui/mosaic/${id}`)
  await expectPlaying(page, 2)
  for (const path of ['/help', '/swagger', '/administration/stats', '/administration/config']) {
    await page.goto(`/ui${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  expect(complaints).toEqual([])
})

test('what a script slipped in would try first is refused: markup, inline code, eval, another page', async ({
  page,
}) => {
  await page.goto('/ui/')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  const tries = await page.evaluate(async () => {
    // What the test's own call evaluates is let through; a turn later the page is on its own.
    await new Promise((resolve) => setTimeout(resolve))
    const errorOf = (attempt: () => unknown): string => {
      try {
        attempt()
        return 'done'
      } catch (error) {
        return error instanceof Error ? error.name : 'refused'
      }
    }
    return {
      markup: errorOf(() => {
        document.createElement('div').innerHTML = '<img src=x>'
      }),
      evaluated: errorOf(() => Reflect.apply(Reflect.get(globalThis, 'eval'), undefined, ['1'])),
      policy: errorOf(() => Reflect.get(globalThis, 'trustedTypes').createPolicy('own', {})),
      handler: errorOf(() => document.createElement('button').setAttribute('onclick', 'document.title = "taken"')),
    }
  })
  expect(tries).toEqual({ markup: 'TypeError', evaluated: 'EvalError', policy: 'TypeError', handler: 'TypeError' })
})

test('no other page shows the console in a frame', async ({ page, baseURL }) => {
  await page.goto(`data:text/html,<iframe src="${baseURL ?? ''}/ui/"></iframe>`)
  await expect.poll(() => page.frames().at(1)?.url()).toBe('chrome-error://chromewebdata/')
})

test('no address leads elsewhere, before signing in or after', async ({ page, baseURL }) => {
  const origins = new Set<string>()
  page.on('framenavigated', (frame) => origins.add(new URL(frame.url()).origin))
  for (const path of [
    '/ui//elsewhere.example/',
    '/ui/%2F%2Felsewhere.example',
    '/ui/javascript:alert(1)',
    '/ui/auth?return=//elsewhere.example&next=https://elsewhere.example',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.getByLabel('Login').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/ui/streams')
  expect([...origins]).toEqual([baseURL])
})
