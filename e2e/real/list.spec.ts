import { expect } from 'playwright/test'
import { test } from '../test.ts'
import { signIn } from './session.ts'

test('several streams are tagged, paused, closed to a guest and deleted at once, and found by Ctrl K meanwhile', async ({
  page,
  browser,
}) => {
  const origin = await signIn(page)
  const post = (path: string, data: object) => page.request.post(path, { data, headers: { origin } })
  const made: { uid: string }[] = []
  for (const name of ['Alpha', 'Beta', 'Gamma']) {
    made.push(
      await (await post('/v1/stream', { name, streamSource: 'rtsp://user:pw@192.0.2.1/x', tags: ['old'] })).json(),
    )
  }
  const share = await (await page.request.get(`/v1/stream/${made[0]?.uid}/share`, { headers: { origin } })).json()
  const guest = await (await browser.newContext()).newPage()
  await guest.goto(origin + share.url)
  await expect(guest.getByRole('region', { name: 'Player' })).toBeVisible()
  await page.goto('/ui/streams?sort=name&search=old')
  for (const name of ['Alpha', 'Beta', 'Gamma']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  const bar = page.getByRole('region', { name: 'Selected streams' })
  await bar.getByRole('button', { name: 'Tags…' }).click()
  await page.getByLabel('Add tags').fill('new')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(bar).toContainText('3 of 3 done')
  const one = await (await page.request.get(`/v1/stream/${made[1]?.uid}`)).json()
  expect([one.tags, one.streamSource]).toEqual([['old', 'new'], 'rtsp://user:pw@192.0.2.1/x'])
  await bar.getByRole('button', { name: 'Pause', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Pause 3 streams?' })
  await question.getByRole('button', { name: 'Pause' }).click()
  await expect(bar).toContainText('3 of 3 done')
  await bar.getByRole('button', { name: 'Stop sharing' }).click()
  const warning = page.getByRole('alertdialog', { name: 'Stop sharing 3 streams?' })
  await warning.getByRole('button', { name: 'Stop sharing' }).click()
  await expect(bar).toContainText('3 of 3 done')
  await expect(guest.getByRole('heading', { name: 'This link was withdrawn' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Where to go' }).fill('beta')
  await expect(page.getByRole('option')).toHaveText(['Beta'])
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(bar).toContainText('3 of 3 done')
  await expect(page.getByRole('link', { name: 'Beta' })).toHaveCount(0)
})
