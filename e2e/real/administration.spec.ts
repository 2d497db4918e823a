import { readFileSync } from 'node:fs'
import { expect } from 'playwright/test'
import { failedRequests, problemsOf } from '../problems.ts'
import { test } from '../test.ts'
import { makeDemoLicense } from '../../scripts/license.ts'
import { axeFindings } from '../axe.ts'
import { ownServer } from '../own-server.ts'
import { signIn, uidOf } from './session.ts'
import { version } from '../../server/version.ts'

/** These change the server as a whole: its licence, its cluster, its configuration. */
const server = ownServer(7)
test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

const day = 86_400_000
const license = (days: number) =>
  makeDemoLicense({ licensee: 'Test', features: ['tunnel'], issuedAt: Date.now(), expiresAt: Date.now() + days * day })

test('a documented call is found, filled in and sent, as oneself and with a token, under the strict policy', async ({
  page,
}) => {
  const problems = problemsOf(page, failedRequests)
  await signIn(page)
  await page.goto('/ui/swagger')
  const calls = page.getByRole('listbox', { name: 'Calls' })
  await expect(calls.getByRole('option')).not.toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('health')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/call=GET/)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('region', { name: 'Response body' })).toContainText(`"version": "${version}"`)

  await page.getByRole('searchbox', { name: 'Search calls' }).fill('users')
  await page.getByRole('option', { name: /^GET \/users/ }).click()
  await page.getByRole('textbox', { name: 'Token' }).fill('no such token')
  await page.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('region', { name: 'Response', exact: true })
  await expect(answer).toContainText('401')
  await expect(page).toHaveURL(/swagger/)
  const { token } = await (
    await page.request.post('/v1/token', { data: { name: 'docs' }, headers: { origin: new URL(page.url()).origin } })
  ).json()
  await page.getByRole('textbox', { name: 'Token' }).fill(token)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(answer).toContainText('200')
  await expect(page.getByText(token)).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
  expect(problems).toEqual([])
})

test('the support bundle is one file that says what helps', { tag: '@long' }, async ({ page }) => {
  await signIn(page)
  await page.goto('/ui/administration/server-debug')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the bundle' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^support-.*\.json$/)
  expect(Object.keys(JSON.parse(readFileSync(await file.path(), 'utf8')))).toEqual(
    expect.arrayContaining([
      'versions',
      'machine',
      'settings',
      'configuration',
      'health',
      'statistics',
      'streams',
      'log',
    ]),
  )
})

test('the configuration is searched, changed after a look at what changes, and restored; the title is there at once', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/ui/administration/config')
  await page.getByRole('searchbox', { name: 'Search in the configuration' }).fill('title')
  await page.getByLabel('Title', { exact: true }).fill('Harbour')
  await expect(page.getByRole('region', { name: 'What will change' })).toContainText('Harbour')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search in the configuration' }).fill('')
  await page.getByLabel('Disk warning, percent').fill('101')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Disk warning, percent')).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Restore' }).last().click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('link', { name: 'Sightline' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
})

test(
  'a licence is refused on the page, uploaded, warned of, and its warning stays away once dismissed',
  { tag: '@long' },
  async ({ page }) => {
    await signIn(page)
    await page.goto('/ui/license')
    await expect(page).toHaveURL('/ui/administration/license')
    const field = page.getByRole('textbox', { name: 'License' })
    await field.fill('not a license')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(page.getByText('License is incorrect')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Notifications' }).getByText('License is incorrect')).toHaveCount(0)
    const text = license(10)
    const dropped = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], 'my.license', { type: 'text/plain' }))
      return transfer
    }, text)
    await field.dispatchEvent('drop', { dataTransfer: dropped })
    await expect(field).toHaveValue(text)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(page.getByText('Enterprise')).toBeVisible()
    const warnings = page.getByRole('region', { name: 'Warnings' })
    const expiring = warnings.locator(':scope > *', { hasText: 'License will expire at' })
    await expect(expiring).toBeVisible()
    await expect(expiring.getByRole('link', { name: 'Upload a license' })).toHaveAttribute(
      'href',
      '/ui/administration/license',
    )
    await expect(expiring.getByRole('link', { name: 'Get a license' })).toBeVisible()
    await expiring.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await expect(page.getByText('Enterprise')).toBeVisible()
    await expect(expiring).toHaveCount(0)
  },
)

test('the node is drained with its banner and comes back', async ({ page }) => {
  const origin = await signIn(page)
  await page.request.put('/v1/admin/configuration', {
    data: { values: { cluster: { isEnabled: true } } },
    headers: { origin },
  })
  await page.goto('/ui/administration/cluster')
  await page.getByRole('button', { name: 'Table' }).click()
  await page.getByRole('button', { name: 'Drain' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Drain' }).click()
  await expect(page.getByText('Drained', { exact: true })).toBeVisible()
  const warnings = page.getByRole('region', { name: 'Warnings' })
  const drained = warnings.locator(':scope > *', {
    hasText: 'This node is drained. Start the node to return to the cluster.',
  })
  await expect(drained).toBeVisible()
  await expect(drained.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Start the node' }).click()
  await expect(page.getByText('Available', { exact: true })).toBeVisible()
  await expect(drained).toHaveCount(0)
})

test(
  'an entry of the audit log leads to the watched moment; what fits the filter is one file',
  { tag: '@long' },
  async ({ page }) => {
    await signIn(page)
    const uid = await uidOf(page, 'Gate')
    const moment = new Date(Date.now() - 60_000).toISOString()
    await page.request.get(`/v1/stream/preview?stream_id=${uid}&time=${moment}`)
    await page.goto('/ui/administration/audit-logs')
    await page.getByLabel('Action').selectOption('archive')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page).toHaveURL(/action=archive/)
    const link = page.getByRole('table').getByRole('link').first()
    await expect(link).toContainText('Gate')
    await expect(link).toHaveAttribute(
      'href',
      `/ui/stream/${uid}/view?${new URLSearchParams({ at: moment }).toString()}`,
    )
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    expect(readFileSync(await (await download).path(), 'utf8')).toContain(`"archive.preview","${uid} ${moment}"`)
    expect(await axeFindings(page)).toEqual([])
  },
)

test(
  'a range of the charts is chosen by drag and keys, kept in the address, and left again',
  { tag: '@long' },
  async ({ page }) => {
    await signIn(page)
    await page.goto('/ui/administration/stats?hours=1')
    const chart = page.getByRole('slider', { name: 'Processor' })
    await expect(chart).toBeVisible({ timeout: 60_000 })
    await chart.scrollIntoViewIfNeeded()
    const box = await chart.boundingBox()
    if (box === null) throw new Error('no chart')
    await page.mouse.move(box.x + box.width / 4, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 4 })
    await page.mouse.up()
    await expect(page).toHaveURL(/from=.*&to=/)
    await page.getByRole('button', { name: 'Back to live' }).click()
    await expect(page).toHaveURL(/hours=1$/)
    await chart.focus()
    await page.keyboard.press('+')
    await expect(page).toHaveURL(/from=.*&to=/)
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/hours=1$/)
    await page.keyboard.press('ArrowLeft')
    await expect(chart).toHaveAttribute('aria-valuetext', /In use/)
    expect(await axeFindings(page)).toEqual([])
  },
)
