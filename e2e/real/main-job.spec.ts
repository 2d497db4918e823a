import { expect } from 'playwright/test'
import { test } from '../test.ts'
import { isClockTrue, readingThat } from './frame-strip.ts'
import { hour, signInByHand, uidOf, waitForArchive } from './session.ts'

test('sign in, watch a camera live, and go back half an hour to the picture of that time', async ({ page }) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  await signInByHand(page)
  await waitForArchive(page, await uidOf(page, 'Gate'), Date.now() - hour / 2)
  await page.getByRole('link', { name: /Gate/ }).first().click()
  const player = page.getByRole('region', { name: 'Player' })
  await expect(player).toHaveAttribute('data-view-mode', 'live')

  const first = await readingThat(
    page,
    (reading) => isClockTrue(reading) && Math.abs(Date.now() - reading.frame) < 20_000,
  )
  const later = await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > first.frame + 1000)
  expect(later.frame).toBeGreaterThan(first.frame)

  const wanted = Date.now() - hour / 2
  const slider = player.getByRole('slider', { name: 'Timeline' })
  await slider.focus()
  const box = await slider.boundingBox()
  const from = Number(await slider.getAttribute('aria-valuemin')) * 1000
  const to = Number(await slider.getAttribute('aria-valuemax')) * 1000
  if (box === null) throw new Error('the timeline has no box')
  await page.mouse.click(box.x + ((wanted - from) / (to - from)) * box.width, box.y + box.height / 2)
  await expect(player).toHaveAttribute('data-view-mode', 'archive')
  const pixel = (to - from) / box.width
  const past = await readingThat(
    page,
    (reading) => isClockTrue(reading) && Math.abs(reading.frame - wanted) < 2 * pixel + 10_000,
  )
  const moving = await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > past.frame)
  expect(moving.frame).toBeGreaterThan(past.frame)

  await player.getByRole('button', { name: 'Go live' }).click()
  await expect(player).toHaveAttribute('data-view-mode', 'live')
  await readingThat(page, (reading) => isClockTrue(reading) && Math.abs(Date.now() - reading.frame) < 20_000)
  expect(problems).toEqual([])
})
