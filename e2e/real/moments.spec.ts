import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { hour, signIn, uidOf, waitForArchive } from './session.ts'

const iso = (at: number) => new Date(at).toISOString()

/** The player of a demo camera at a moment, once its archive is whole; its problems are collected. */
async function openPlayer(page: Page, at: number) {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  await signIn(page)
  const uid = await uidOf(page, 'Gate')
  for (const hours of [0.5, 3, 5.5]) await waitForArchive(page, uid, Date.now() - hours * hour)
  await page.goto(`/ui/stream/${uid}/view?at=${iso(at)}`)
  const player = page.getByRole('region', { name: 'Player' })
  const shown = player.locator('time').first()
  const moment = async () => Date.parse((await shown.getAttribute('datetime')) ?? '')
  await expect.poll(moment).toBeGreaterThan(0)
  return { player, shown, moment, problems }
}

test('annotations beside the picture are filtered by type, and lead to their moment', async ({ page }) => {
  const { player, moment, problems } = await openPlayer(page, Date.now() - hour / 2)
  await player.getByRole('button', { name: 'Events and recordings' }).click()
  const panel = player.getByRole('complementary', { name: 'Events and recordings' })
  const list = panel.getByRole('list', { name: 'Annotations' })
  await expect(list.getByRole('button').first()).toBeVisible()
  const all = Number((/\d+/.exec((await panel.getByRole('status').textContent()) ?? '') ?? [])[0])

  const statuses = panel.getByRole('group', { name: 'Types shown' }).getByRole('button', { name: /status/ })
  const count = Number((/\d+/.exec((await statuses.textContent()) ?? '') ?? [])[0])
  await statuses.click()
  await expect(statuses).toHaveAttribute('aria-pressed', 'true')
  await expect(panel.getByRole('status')).toHaveText(`${count} of ${all}`)
  await expect(list.getByRole('button')).toHaveCount(count)
  await statuses.click()

  const events = panel.getByRole('group', { name: 'Types shown' }).getByRole('button', { name: /event/ })
  await events.click()
  const current = list.locator('[aria-current="true"]')
  const before = await moment()
  await list.getByRole('button').first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  const item = list.locator('li', { has: page.locator(':focus') })
  const position = Number(await item.getAttribute('aria-posinset'))
  expect(position).toBe(Number(await item.getAttribute('aria-setsize')) - 2)
  const time = (await page.locator(':focus').textContent()) ?? ''
  await page.keyboard.press('Enter')
  await expect(current).toHaveText(time)
  await expect.poll(async () => Math.abs((await moment()) - before)).toBeGreaterThan(60_000)

  await panel.getByRole('button', { name: 'Recordings', exact: true }).click()
  await expect(panel.getByRole('list', { name: 'Recordings' }).locator('[aria-current="true"]')).toContainText(
    'recorded',
  )
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(player.getByRole('button', { name: 'Events and recordings' })).toBeFocused()
  expect(problems).toEqual([])
})

test('another time zone is found by name, and every time follows it', async ({ page }) => {
  const { player, shown, moment, problems } = await openPlayer(page, Date.now() - hour / 2)
  await player.getByRole('button', { name: 'Events and recordings' }).click()
  await player.getByRole('button', { name: 'Recordings', exact: true }).click()
  await player.getByRole('button', { name: 'Pause' }).click()
  const clockOf = (zone: string, at: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
      at,
    )
  const slider = player.getByRole('slider', { name: 'Timeline' })
  const start = player.getByRole('list', { name: 'Recordings' }).locator('[aria-current="true"]')
  /** Text and moment are read at once: the minute may pass in between. */
  const isShownIn = (zone: string) =>
    shown
      .evaluate((element) => [element.getAttribute('datetime') ?? '', element.textContent])
      .then(([at = '', text = '']) => text.includes(clockOf(zone, Date.parse(at))))
  await expect(player.getByRole('button', { name: 'Play' })).toBeVisible()
  await expect.poll(() => isShownIn('Europe/Berlin')).toBe(true)
  const recorded = (await start.textContent()) ?? ''

  await player.getByRole('button', { name: 'Time zone: Europe/Berlin' }).click()
  const dialog = page.getByRole('dialog', { name: 'Time zone' })
  await expect(dialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('kathmandu')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(player.getByRole('button', { name: /Time zone: Asia\/Kathmandu \(UTC\+05:45\)/ })).toBeVisible()
  await expect.poll(() => isShownIn('Asia/Kathmandu')).toBe(true)
  await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`^${clockOf('Asia/Kathmandu', await moment())}`))
  await expect(start).not.toHaveText(recorded)

  await page.reload()
  await expect(player.getByRole('button', { name: /Time zone: Asia\/Kathmandu/ })).toBeVisible()
  await player.getByRole('button', { name: /Time zone/ }).click()
  await page.getByRole('option', { name: /Browser time zone/ }).click()
  await expect(player.getByRole('button', { name: 'Time zone: Europe/Berlin' })).toBeVisible()
  expect(problems).toEqual([])
})

/** A zone where it is between two and four in the afternoon, so that a day is neither young nor nearly over. */
const hoursEast = 15 - new Date().getUTCHours()
const afternoon = `Etc/GMT${hoursEast > 0 ? '-' : '+'}${Math.min(14, Math.abs(hoursEast))}`

test.describe('in the afternoon', () => {
  test.use({ timezoneId: afternoon })

  test('by keyboard, the calendar leads to a day, and takes a period', async ({ page }) => {
    const { player, moment, problems } = await openPlayer(page, Date.now() - hour / 2)
    await player.getByRole('button', { name: 'Calendar' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Calendar' })
    const today = dialog.locator('[role="gridcell"][aria-current="date"]')
    await expect(dialog.locator('[role="gridcell"][tabindex="0"]')).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('End')
    await expect(today).toBeFocused()
    const before = await moment()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect.poll(async () => before - (await moment())).toBeGreaterThan(hour)

    await player.getByRole('button', { name: 'Calendar' }).press('Enter')
    await dialog.getByRole('button', { name: 'Period' }).press('Enter')
    await expect(dialog.getByRole('status').last()).toHaveText('Select the first day.')
    await expect(dialog.getByRole('button', { name: 'Play' })).toBeDisabled()
    await today.press('Enter')
    await expect(dialog.getByRole('status').last()).toContainText('select the last day')
    await today.press(' ')
    await expect(dialog.getByRole('status').last()).toContainText('1 day')
    await dialog.getByRole('button', { name: 'Play' }).press('Enter')
    await expect(dialog).toBeHidden()
    await expect(player.getByRole('region', { name: 'Selection' })).toBeVisible()
    await expect(player).toHaveAttribute('data-view-mode', 'archive')

    await player.getByRole('button', { name: 'Calendar' }).press('Enter')
    const field = dialog.getByLabel('Go to')
    await field.fill('yesterday')
    await field.press('Enter')
    await expect(dialog.getByText('Enter the time like 2026-11-21 14:05:03')).toBeVisible()
    const wanted = Math.floor((Date.now() - hour / 3) / 1000) * 1000
    const text = new Intl.DateTimeFormat('sv', { timeZone: afternoon, dateStyle: 'short', timeStyle: 'medium' }).format(
      wanted,
    )
    await field.fill(text)
    await field.press('Enter')
    await expect(dialog).toBeHidden()
    await expect.poll(async () => Math.abs((await moment()) - wanted)).toBeLessThan(20_000)
    expect(problems).toEqual([])
  })
})

test('the months of the calendar are 200 px wide', async ({ page }) => {
  const { player } = await openPlayer(page, Date.now() - hour / 2)
  await player.getByRole('button', { name: 'Calendar' }).click()
  const months = page.getByRole('dialog', { name: 'Calendar' }).getByRole('grid')
  await expect(months).toHaveCount(3)
  expect(await months.evaluateAll((grids) => grids.map((grid) => grid.getBoundingClientRect().width))).toEqual([
    200, 200, 200,
  ])
})

test('every speed is offered', async ({ page }) => {
  const { player } = await openPlayer(page, Date.now() - hour / 2)
  await player.getByRole('button', { name: /Speed/ }).click()
  await expect(page.getByRole('menuitemradio')).toHaveText(['0.25×', '0.5×', '1×', '2×', '4×', '8×', '16×'])
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('1×')
  await page.getByRole('menuitemradio', { name: '4×' }).click()
  await expect(player.getByRole('button', { name: 'Speed 4×' })).toBeVisible()
})
