import { readFile } from 'node:fs/promises'
import { type Locator, type Page, expect } from 'playwright/test'
import { layoutFindings } from '../screens/setup.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { administrator, hour, momentOf, uidOf, waitForArchive } from './session.ts'
import type { Words } from './words.ts'

/** In the archive, at a whole second. */
const halfAnHourAgo = () => Math.floor(Date.now() / 1000) * 1000 - hour / 2

/** The listed export with this note, once its file is ready. */
async function readyExport(page: Page, t: Words, note: string): Promise<Locator> {
  await page.goto('/ui/exports')
  const item = page.getByRole('listitem', { name: note, exact: true })
  const ready = t('Ready, {size}, kept until {until}', { size: '.*', until: '' })
  await expect(item).toContainText(new RegExp(ready))
  return item
}

async function download(page: Page, t: Words, item: Locator): Promise<{ name: string; bytes: Buffer }> {
  const begun = page.waitForEvent('download')
  await item.getByRole('link', { name: t('Download') }).click()
  const file = await begun
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

/** Checks a file on the page of exports; returns the part of the page that says what was found. */
async function check(page: Page, t: Words, buffer: Buffer, verdict: string): Promise<Locator> {
  const part = page.getByRole('region', { name: t('Check a file') })
  await page.locator('input[type=file]').setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer })
  await expect(part.getByRole('heading', { name: t(verdict), exact: true })).toBeVisible()
  return part
}

async function remove(page: Page, t: Words, item: Locator): Promise<void> {
  await item.getByRole('button', { name: t('Delete') }).click()
  const asking = page.getByRole('alertdialog', { name: t('Delete this export?') })
  await asking.getByRole('button', { name: t('Delete') }).click()
  await expect(item).toHaveCount(0)
}

for (const look of looks) {
  const { language } = look
  const tag = language === 'en' ? [] : '@long'

  test(
    `cameras of a mosaic are exported as one file, which shows what is missing before, in ${language}`,
    { tag: '@long' },
    async ({ browser, address }) => {
      const { context, page, t, field, signIn, expectClean } = await visit(browser, address, look)
      await signIn(administrator.name, administrator.password)
      const at = halfAnHourAgo()
      const uids: string[] = []
      for (const name of ['Gate', 'Yard', 'Car park']) uids.push(await uidOf(page, name))
      for (const uid of uids.slice(0, 2)) await waitForArchive(page, uid, at)
      const cells = uids.map((streamUid, x) => ({ streamUid, x, y: 0, w: 1, h: 1 }))
      const made = await page.request.post('/v1/mosaic', {
        data: { name: `Evidence ${language}`, columns: 3, rows: 1, cells },
        headers: { origin: address },
      })
      const { id } = await made.json()
      await page.goto(`/ui/mosaic/${id}?at=${new Date(at).toISOString()}`)
      const panel = page.getByRole('region', { name: t('Archive') })
      await panel.getByRole('button', { name: t('Mark in') }).click()
      for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight')
      await page.keyboard.press('o')
      const selection = page.getByRole('region', { name: t('Selection') })
      await selection.getByRole('button', { name: t('Export') }).click()
      const draft = page.getByRole('dialog', { name: t('Export the recordings') })
      await expect(draft.getByRole('checkbox', { name: 'Gate' })).toBeChecked()
      await expect(draft.getByRole('checkbox', { name: 'Yard' })).toBeChecked()
      await expect(draft.getByRole('checkbox', { name: 'Car park' })).toBeDisabled()
      await expect(draft).toContainText(t('Left out: no recordings'))
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      const note = `Case 8 ${language}`
      await field('Note').fill(note)
      await draft.getByRole('button', { name: t('Export') }).click()
      await expect(page.getByText(t('The export has started: see Exports'))).toBeVisible()
      await expect(draft).toBeHidden()

      const item = await readyExport(page, t, note)
      await expect(item).toContainText('Gate')
      await expect(item).toContainText('Yard')
      const { bytes } = await download(page, t, item)
      const found = await check(page, t, bytes, 'Unchanged')
      await expect(found).toContainText(/Gate .*\.mp4/)
      await expect(found).toContainText(/Yard .*\.mp4/)
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      await remove(page, t, item)
      await context.close()
    },
  )

  test(
    `what is marked is exported, downloaded, and checked as unchanged, tampered and truncated, in ${language}`,
    { tag },
    async ({ browser, address }) => {
      const { context, page, t, field, signIn, expectClean } = await visit(browser, address, look)
      await signIn(administrator.name, administrator.password)
      const gate = await uidOf(page, 'Gate')
      const at = halfAnHourAgo()
      await waitForArchive(page, gate, at)
      const iso = (seconds: number) => new Date(at + seconds * 1000).toISOString()
      await page.goto(`/ui/stream/${gate}/view?at=${iso(0)}&in=${iso(0)}&out=${iso(60)}`)
      const selection = page.getByRole('region', { name: t('Selection') })
      await selection.getByRole('button', { name: t('Export') }).focus()
      await page.keyboard.press('Enter')
      const draft = page.getByRole('dialog', { name: t('Export the recording') })
      await expect(field('Note')).toBeFocused()
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      const note = `Case 7 ${language}`
      await field('Note').fill(note)
      await expect(field('Overlay time and camera name')).not.toBeChecked()
      await draft.getByRole('button', { name: t('Export') }).click()
      await expect(page.getByText(t('The export has started: see Exports'))).toBeVisible()

      const item = await readyExport(page, t, note)
      const { name, bytes } = await download(page, t, item)
      expect(name).toMatch(/^export .*Z\.zip$/)
      const found = await check(page, t, bytes, 'Unchanged')
      await expect(found).toContainText(administrator.name)
      await expect(found).toContainText(/Gate .*\.mp4, 1\D[45]\d\d/)
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      const tampered = Buffer.from(bytes)
      const middle = Math.floor(bytes.length / 2)
      tampered.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
      await check(page, t, tampered, 'Changed')
      await expect(found.getByText(new RegExp(`^Gate .*\\.mp4: ${t('changed')}$`))).toBeVisible()
      await expectClean()
      await check(page, t, bytes.subarray(0, -100), 'Truncated')
      await expectClean()
      await remove(page, t, item)
      await context.close()
    },
  )

  test(
    `two ranges of a camera are exported as one file, and one that was added is removed, in ${language}`,
    { tag: '@long' },
    async ({ browser, address }) => {
      const { context, page, t, field, press, signIn, expectClean } = await visit(browser, address, look)
      await signIn(administrator.name, administrator.password)
      const gate = await uidOf(page, 'Gate')
      const at = halfAnHourAgo()
      await waitForArchive(page, gate, at)
      const iso = (seconds: number) => new Date(at + seconds * 1000).toISOString()
      const moment = () => momentOf(page, t('Player'))
      const selection = page.getByRole('region', { name: t('Selection') })
      const draft = page.getByRole('dialog', { name: t('Export the recording') })
      const jump = async (seconds: number) => {
        const before = await moment()
        for (let passed = 0; passed < seconds; passed += 10) await page.keyboard.press('ArrowRight')
        await expect.poll(async () => (await moment()) - before).toBeGreaterThanOrEqual(seconds * 1000)
      }
      const markNext = async (addedRanges: number) => {
        await press('Add another range')
        await expect(draft).toBeHidden()
        await press('Clear selection')
        await expect(selection).toHaveCount(0)
        await jump(20)
        await press('Mark in')
        await jump(20)
        await press('Mark out')
        await selection
          .getByRole('button', { name: t('Export, ranges added: {addedRanges}', { addedRanges }), exact: true })
          .click()
      }

      await page.goto(`/ui/stream/${gate}/view?at=${iso(5)}&in=${iso(0)}&out=${iso(10)}`)
      await expect.poll(moment).toBeGreaterThan(0)
      await selection.getByRole('button', { name: t('Export'), exact: true }).click()
      const note = `Case 9 ${language}`
      await field('Note').fill(note)
      await markNext(1)
      await markNext(2)
      const ranges = draft.getByRole('list', { name: t('Ranges') }).getByRole('listitem')
      await expect(ranges).toHaveCount(3)
      await expect(field('Note')).toHaveValue(note)
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      const [first, , third] = await ranges.allTextContents()
      await ranges.nth(1).getByRole('button').click()
      await expect(ranges).toHaveText([first ?? '', third ?? ''])
      await draft.getByRole('button', { name: t('Export'), exact: true }).click()
      await expect(page.getByText(t('The export has started: see Exports'))).toBeVisible()
      await expect(selection.getByRole('button', { name: t('Export'), exact: true })).toBeVisible()

      const item = await readyExport(page, t, note)
      await expect(item.getByRole('listitem')).toHaveText([/^Gate /, /^Gate /])
      const found = await check(page, t, (await download(page, t, item)).bytes, 'Unchanged')
      await expect(found.getByRole('listitem').filter({ hasText: /^Gate: / })).toHaveCount(2)
      await expect(found.getByRole('listitem').filter({ hasText: /^Gate .*\.mp4, / })).toHaveCount(2)
      await expectClean()
      await remove(page, t, item)
      await context.close()
    },
  )
}
