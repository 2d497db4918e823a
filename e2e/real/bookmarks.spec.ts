import { type Locator, type Page, expect } from 'playwright/test'
import { problemsOf } from '../problems.ts'
import { axeFindings } from '../axe.ts'
import { test } from '../test.ts'
import { hour, signIn, signInByHand, uidOf, waitForArchive } from './session.ts'

const settingsCall = '**/v1/system/internal/ui/settings'

/** The settings of a server that keeps no bookmarks. */
const withoutFeature = (page: Page) =>
  page.route(settingsCall, async (route) => {
    const response = await route.fetch()
    const settings: { features: string[] } = await response.json()
    await route.fulfill({
      response,
      json: { ...settings, features: settings.features.filter((feature) => feature !== 'bookmarks') },
    })
  })

async function keep(page: Page, bookmark: { streamId: string; time: string; note: string }): Promise<void> {
  const { origin } = new URL(page.url())
  expect((await page.request.post('/v1/bookmarks', { data: bookmark, headers: { origin } })).status()).toBe(200)
}

const cards = (page: Page) => page.getByRole('list', { name: 'Bookmarks' }).getByRole('listitem')
const pictureWidth = (card: Locator) =>
  card.locator('img').evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator(`html[data-theme="${colorScheme}"]`)).toHaveCount(1)
    expect(await axeFindings(page), colorScheme).toEqual([])
  }
}

test('bookmarks that the server keeps: listed with pictures, searched, edited, deleted, opened', async ({ page }) => {
  await signInByHand(page)
  const [gate, yard] = [await uidOf(page, 'Gate'), await uidOf(page, 'Yard')]
  const at = Math.floor(Date.now() - hour / 2)
  for (const uid of [gate, yard]) await waitForArchive(page, uid, at)
  const toolbar = page.getByRole('navigation', { name: 'Toolbar' })

  await toolbar.getByRole('link', { name: 'Bookmarks' }).click()
  await expect(page).toHaveTitle('Bookmarks')
  const problems = problemsOf(page)
  await expect(page.getByRole('heading', { name: 'No bookmarks yet' })).toBeVisible()
  await expect(page.getByText(/^Press B or the Bookmark button while watching the archive/)).toBeVisible()
  await expect(page.getByText('Stored on the server, visible to you only')).toBeVisible()

  await keep(page, { streamId: gate, time: new Date(at).toISOString(), note: 'A white van' })
  await keep(page, { streamId: yard, time: new Date(at + 1000).toISOString(), note: '' })
  await page.reload()
  await expect(page.getByText('2 bookmarks')).toBeVisible()
  await expect(cards(page).getByRole('strong')).toHaveText(['Yard', 'Gate'])
  const van = cards(page).filter({ hasText: 'A white van' })
  await expect.poll(() => pictureWidth(van)).toBeGreaterThan(0)
  await expect(van.getByRole('time')).toHaveAttribute('datetime', new Date(at).toISOString())
  await expect(van.getByRole('time')).toHaveText(/:\d\d:\d\d.*(CET|GMT\+1)/)
  await expectAccessible(page)

  const search = page.getByRole('searchbox', { name: 'Search bookmarks' })
  for (const [words, name] of [
    ['WHITE', 'Gate'],
    ['yar', 'Yard'],
  ] as const) {
    await search.fill(words)
    await expect(cards(page).getByRole('strong')).toHaveText([name])
    await expect(page.getByText('1 of 2 bookmarks')).toBeVisible()
  }
  await search.fill('no such thing')
  await expect(page.getByRole('heading', { name: 'No bookmarks found' })).toBeVisible()
  await search.fill('')

  await van.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit bookmark' })
  const note = dialog.getByRole('textbox', { name: 'Note' })
  await expect(note).toBeFocused()
  await expectAccessible(page)
  await note.fill('A grey van')
  await note.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(cards(page).filter({ hasText: 'A grey van' })).toHaveCount(1)

  await cards(page).filter({ hasText: 'Yard' }).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete this bookmark?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('1 bookmark', { exact: true })).toBeVisible()
  await page.reload()
  await expect(cards(page).getByRole('strong')).toHaveText(['Gate'])

  await cards(page).getByRole('link', { name: /^Gate/ }).click()
  await expect(page).toHaveURL(
    (url) =>
      url.pathname === `/ui/stream/${gate}/view` &&
      Math.abs(Date.parse(url.searchParams.get('at') ?? '') - at) < 60_000,
  )
  await expect(page.getByRole('region', { name: 'Player' })).toHaveAttribute('data-view-mode', 'archive')
  expect(problems).toEqual([])
})

test('a server without bookmarks: this browser keeps them, and says when it can not', async ({ page }) => {
  await signInByHand(page)
  const gate = await uidOf(page, 'Gate')
  await withoutFeature(page)
  const time = new Date(Date.now() - hour / 2).toISOString()
  await page.evaluate(
    (own) =>
      localStorage.setItem(
        'bookmarks',
        JSON.stringify({ admin: own, ann: [{ id: 'b9', streamId: 'gate', time: own[0]?.time, note: 'not mine' }] }),
      ),
    [
      { id: 'b1', streamId: gate, time, note: 'A white van' },
      { id: 'b2', streamId: 'gone', time, note: 'Nobody knows' },
    ],
  )
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto('/ui/bookmarks')
  await expect(page.getByText('Stored in this browser only')).toBeVisible()
  await expect(page.getByText('2 bookmarks')).toBeVisible()
  const lost = cards(page).filter({ hasText: 'Nobody knows' })
  await expect(lost.getByText('This stream was deleted, or you have no access')).toBeVisible()
  await expect(lost.getByRole('link')).toHaveCount(0)
  await expect(page).toHaveURL('/ui/bookmarks')

  await lost.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('1 bookmark', { exact: true })).toBeVisible()

  const dialog = page.getByRole('dialog', { name: 'Edit bookmark' })
  const note = dialog.getByRole('textbox', { name: 'Note' })
  await cards(page).getByRole('button', { name: 'Edit' }).click()
  await page.evaluate(() => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = () => {
      Storage.prototype.setItem = setItem
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await note.fill('A grey van')
  await note.press('Enter')
  await expect(dialog.getByText("This browser can't store the bookmark")).toBeVisible()
  await expect(note).toHaveValue('A grey van')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await expect(cards(page).filter({ hasText: 'A grey van' })).toHaveCount(1)
  expect(calls.filter((path) => path.startsWith('/v1/bookmark'))).toEqual([])
})

test('speaks Russian', async ({ page }) => {
  await signIn(page)
  await page.route('**/v1/user', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), language: 'ru' } })
  })
  await page.goto('/ui/bookmarks')
  await expect(page).toHaveTitle('Закладки')
  await expect(page.getByText('Хранятся на сервере, видны только вам')).toBeVisible()
})
