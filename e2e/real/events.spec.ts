import { expect } from 'playwright/test'
import { pngOf } from '../../tests/server/fixtures/pictures.ts'
import { layoutFindings } from '../screens/setup.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { administrator, hour, momentOf, uidOf, waitForArchive } from './session.ts'

/** A moment as it is typed, in the time zone of the browser. */
const typed = (at: number): string =>
  new Date(at).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }).slice(0, 16).replace(' ', 'T')

/** Unlike any preview of the archive. */
const snapshotWidth = 31
const snapshot = pngOf(snapshotWidth, 20).toString('base64')

for (const look of looks) {
  const { language } = look
  const tag = language === 'en' ? [] : '@long'

  test(
    `events of a detector: found with pictures, on the timeline with label and score, and opened, in ${language}`,
    { tag },
    async ({ browser, address }) => {
      const { context, page, t, field, press, signIn, expectClean } = await visit(browser, address, look)
      await signIn(administrator.name, administrator.password)
      const [gate, yard] = [await uidOf(page, 'Gate'), await uidOf(page, 'Yard')]
      const at = Math.floor(Date.now() / 1000) * 1000 - hour / 2
      await waitForArchive(page, gate, at)
      await waitForArchive(page, yard, at)
      const label = `van ${language}`
      const items = [gate, yard].map((streamId) => {
        const [time, timeEnd] = [at, at + 5000].map((moment) => new Date(moment).toISOString())
        return {
          streamId,
          type: 'event',
          time,
          timeEnd,
          label,
          score: 0.87,
          snapshot: streamId === gate ? snapshot : '',
        }
      })
      const added = await page.request.post('/v1/annotations', { data: { items }, headers: { origin: address } })
      expect(added.status()).toBe(200)

      await page.goto(`/ui/events?${new URLSearchParams({ label })}`)
      const card = page.getByRole('list', { name: t('Events') }).getByRole('listitem')
      await expect(card).toHaveCount(2)
      await field('Camera').selectOption('Gate')
      await expect(card).toHaveCount(1)
      await expect(card.getByRole('link').first()).toContainText(new RegExp(`${label}87\\s?%Gate`))
      await expect
        .poll(() => card.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(snapshotWidth)
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()

      // By the keyboard alone.
      await field('From').fill(typed(at + 60_000))
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: t('No events found') })).toBeVisible()
      await expectClean()
      await field('From').fill('')
      await field('Label').fill('nobody')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(
        `/ui/events?${new URLSearchParams([
          ['stream', gate],
          ['label', 'nobody'],
        ])}`,
      )
      await expect(page.getByRole('heading', { name: t('No events found') })).toBeVisible()
      await field('Label').fill(label)
      await page.keyboard.press('Enter')
      await expect(card).toHaveCount(1)

      // The filters are remembered.
      await page.goto('/ui/events')
      await expect(field('Label')).toHaveValue(label)
      await expect(card).toHaveCount(1)
      await card.getByRole('link').first().focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(new RegExp(`/ui/stream/${gate}/view\\?at=`))
      await expect.poll(async () => Math.abs((await momentOf(page, t('Player'))) - at) < 10_000).toBe(true)
      await press('Events and recordings')
      const panel = page.getByRole('complementary', { name: t('Events and recordings') })
      const listed = panel.getByRole('listitem').filter({ hasText: label })
      await expect(listed).toContainText(/87\s?%/)
      const type = panel.getByRole('group', { name: t('Types shown') }).getByRole('button', { name: t('event') })
      await type.click()
      await page.reload()
      await press('Events and recordings')
      await expect(type).toHaveAttribute('aria-pressed', 'true')
      await expect(listed).toContainText(/87\s?%/)
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      await context.close()
    },
  )
}
