import { readFile } from 'node:fs/promises'
import { expect } from 'playwright/test'
import { axeFindings } from '../axe.ts'
import { test } from '../test.ts'
import { hour, signIn, uidOf, waitForArchive } from './session.ts'

test(
  'cameras of a mosaic are exported as one file, which shows what is missing before',
  { tag: '@long' },
  async ({ page }) => {
    const origin = await signIn(page)
    const at = Math.floor(Date.now() / 1000) * 1000 - hour / 2
    const uids: string[] = []
    for (const name of ['Gate', 'Yard', 'Car park']) uids.push(await uidOf(page, name))
    for (const uid of uids.slice(0, 2)) await waitForArchive(page, uid, at)
    const cells = uids.map((streamUid, x) => ({ streamUid, x, y: 0, w: 1, h: 1 }))
    const made = await page.request.post('/v1/mosaic', {
      data: { name: 'Evidence', columns: 3, rows: 1, cells },
      headers: { origin },
    })
    const { id } = await made.json()
    const iso = (seconds: number) => new Date(at + seconds * 1000).toISOString()
    await page.goto(`/ui/mosaic/${id}?at=${iso(0)}`)
    const panel = page.getByRole('region', { name: 'Archive' })
    await panel.getByRole('button', { name: 'Mark in' }).click()
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('o')
    const selection = page.getByRole('region', { name: 'Selection' })
    await selection.getByRole('button', { name: 'Export' }).click()
    const draft = page.getByRole('dialog', { name: 'Export the recordings' })
    await expect(draft.getByRole('checkbox', { name: 'Gate' })).toBeChecked()
    await expect(draft.getByRole('checkbox', { name: 'Yard' })).toBeChecked()
    await expect(draft.getByRole('checkbox', { name: 'Car park' })).toBeDisabled()
    await expect(draft).toContainText('Left out: no recordings')
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator(`html[data-theme="${colorScheme}"]`)).toHaveCount(1)
      expect(await axeFindings(page), colorScheme).toEqual([])
    }
    await draft.getByLabel('Note').fill('Case 8')
    await draft.getByRole('button', { name: 'Export' }).click()
    await expect(page.getByText('The export has started: see Exports')).toBeVisible()
    await expect(draft).toBeHidden()

    await page.goto('/ui/exports')
    const item = page.getByRole('listitem', { name: 'Case 8' }).first()
    await expect(item).toContainText('Gate')
    await expect(item).toContainText('Yard')
    await expect(item).toContainText(/Ready, .*, kept until /)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      item.getByRole('link', { name: 'Download' }).click(),
    ])
    await page.locator('input[type=file]').setInputFiles(await download.path())
    const check = page.getByRole('region', { name: 'Check a file' })
    await expect(check.getByRole('heading', { name: 'Unchanged', exact: true })).toBeVisible()
    await expect(check).toContainText(/Gate .*\.mp4/)
    await expect(check).toContainText(/Yard .*\.mp4/)
    await item.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog', { name: 'Delete this export?' }).getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('listitem', { name: 'Case 8' })).toHaveCount(0)
  },
)

test('what is marked is exported, downloaded, and checked as unchanged, tampered and truncated', async ({ page }) => {
  await signIn(page)
  const gate = await uidOf(page, 'Gate')
  const at = Math.floor(Date.now() / 1000) * 1000 - hour / 2
  await waitForArchive(page, gate, at)
  const iso = (seconds: number) => new Date(at + seconds * 1000).toISOString()
  await page.goto(`/ui/stream/${gate}/view?at=${iso(0)}&in=${iso(0)}&out=${iso(60)}`)
  const selection = page.getByRole('region', { name: 'Selection' })
  await selection.getByRole('button', { name: 'Export' }).focus()
  await page.keyboard.press('Enter')
  const draft = page.getByRole('dialog', { name: 'Export the recording' })
  await expect(draft.getByLabel('Note')).toBeFocused()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator(`html[data-theme="${colorScheme}"]`)).toHaveCount(1)
    expect(await axeFindings(page), colorScheme).toEqual([])
  }
  await draft.getByLabel('Note').fill('Case 7')
  await expect(draft.getByLabel('Overlay time and camera name')).not.toBeChecked()
  await draft.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByText('The export has started: see Exports')).toBeVisible()

  await page.goto('/ui/exports')
  const item = page.getByRole('listitem', { name: 'Case 7' }).first()
  await expect(item).toContainText(/Ready, .*, kept until /)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    item.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^export .*Z\.zip$/)
  const bytes = await readFile(await download.path())

  await page.setViewportSize({ width: 390, height: 844 })
  const check = page.getByRole('region', { name: 'Check a file' })
  const verdict = async (content: Buffer, words: string) => {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer: content })
    await expect(check.getByRole('heading', { name: words, exact: true })).toBeVisible()
  }
  await verdict(bytes, 'Unchanged')
  await expect(check).toContainText('admin')
  await expect(check).toContainText(/Gate .*\.mp4, 1,[45]\d\d frames/)
  expect(await axeFindings(page)).toEqual([])
  const tampered = Buffer.from(bytes)
  const middle = Math.floor(bytes.length / 2)
  tampered.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  await verdict(tampered, 'Changed')
  await expect(check.getByText(/^Gate .*\.mp4: changed$/)).toBeVisible()
  await verdict(bytes.subarray(0, -100), 'Truncated')

  await item.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog', { name: 'Delete this export?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('listitem', { name: 'Case 7' })).toHaveCount(0)
})
