import { type Page, expect } from 'playwright/test'
import { type FakeServer, reader, gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerPreviews, expectAccessible } from './stream-fixture.ts'

const cameras = Array.from({ length: 8 }, (_, index) => ({
  ...gate,
  uid: `cam-${index}`,
  name: `Camera ${index}`,
  tags: index === 0 ? ['north'] : [],
  meta: { ...gate.meta },
}))

/** A list of cameras that remembers what is done to them; `refuses` names those that can't be changed. */
async function open(page: Page, server: FakeServer, refuses: Set<string> = new Set()) {
  const kept = new Map(cameras.map((camera) => [camera.uid, camera]))
  server.answer('GET /v1/streams', () => ({
    json: { items: [...kept.values()], page: 1, pageSize: 50, total: kept.size },
  }))
  for (const { uid } of cameras) {
    const answer = (call: string, act: (body: object) => object) =>
      server.answer(call, (request) =>
        refuses.has(uid) ? { status: 403, json: { code: 'Forbidden' } } : { json: act(request.postDataJSON() ?? {}) },
      )
    const change = (fields: object) => {
      kept.set(uid, Object.assign({ ...(kept.get(uid) ?? gate) }, fields))
      return kept.get(uid) ?? {}
    }
    server.answer(`GET /v1/stream/${uid}`, () => ({ json: kept.get(uid) ?? {} }))
    answer(`PUT /v1/stream/${uid}`, change)
    answer(`POST /v1/stream/pause/${uid}`, () => change({ status: 'paused' }))
    answer(`DELETE /v1/stream/${uid}/share`, () => ({}))
    answer(`DELETE /v1/stream/${uid}`, () => {
      kept.delete(uid)
      return {}
    })
  }
  await answerPreviews(page, server)
  await page.goto('/ui/streams')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(cameras.length)
}

const bar = (page: Page) => page.getByRole('region', { name: 'Selected streams' })
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
const calls = (server: FakeServer, method: string) => server.calls.filter((call) => call.startsWith(method)).toSorted()

test(
  'cameras are chosen one by one, in a range and all, and Escape leaves them',
  { tag: '@long' },
  async ({ page, server, problems }) => {
    await open(page, server)
    await box(page, 'Camera 1').check()
    await box(page, 'Camera 4').click({ modifiers: ['Shift'] })
    await expect(bar(page)).toContainText('4 selected')
    await expectAccessible(page)
    await bar(page).getByRole('button', { name: 'Select all 8' }).click()
    await expect(bar(page)).toContainText('8 selected')
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveCount(0)
    await page.getByRole('link', { name: 'Camera 2' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+Space')
    await expect(bar(page)).toContainText('3 selected')
    expect(problems).toEqual([])
  },
)

/** What is recorded is paused after a question alone. */
async function confirmPause(page: Page, count: number): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: `Pause ${count} streams?` })
  await expect(dialog).toContainText('Recording and live video stop')
  await dialog.getByRole('button', { name: 'Pause' }).click()
}

test('a pause shows what became of each camera, and what was refused is tried again', async ({ page, server }) => {
  const refuses = new Set(['cam-1'])
  await open(page, server, refuses)
  await page.getByRole('button', { name: 'Table view' }).click()
  for (const name of ['Camera 0', 'Camera 1', 'Camera 2']) await box(page, name).check()
  await bar(page).getByRole('button', { name: 'Pause', exact: true }).click()
  await confirmPause(page, 3)
  await expect(bar(page)).toContainText('2 of 3 done')
  await expect(bar(page)).toContainText('1 failed')
  await expect(page.getByRole('row', { name: /Camera 0/ })).toContainText(/Done.*Paused/)
  await expect(page.getByRole('row', { name: /Camera 1/ })).toContainText("You don't have access")
  await bar(page).getByRole('button', { name: 'Results' }).click()
  const results = page.getByRole('dialog', { name: 'Result for each stream' })
  await expect(results.getByRole('listitem')).toHaveText([
    /Camera 0.*Done/,
    /Camera 1.*You don't have access/,
    /Camera 2.*Done/,
  ])
  await results.getByRole('button', { name: 'Failed 1' }).click()
  await expect(results.getByRole('listitem')).toHaveText([/Camera 1.*You don't have access/])
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  refuses.clear()
  await bar(page).getByRole('button', { name: 'Retry' }).click()
  await expect(bar(page)).toContainText('3 of 3 done')
  expect(calls(server, 'POST')).toEqual([
    'POST /v1/stream/pause/cam-0',
    'POST /v1/stream/pause/cam-1',
    'POST /v1/stream/pause/cam-1',
    'POST /v1/stream/pause/cam-2',
  ])
})

test(
  'tags are given and taken away, and everything else of a camera stays',
  { tag: '@long' },
  async ({ page, server }) => {
    await open(page, server)
    await box(page, 'Camera 0').check()
    await box(page, 'Camera 1').check()
    await bar(page).getByRole('button', { name: 'Tags…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Add tags').fill('fence, yard')
    await dialog.getByLabel('north').check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(bar(page)).toContainText('2 of 2 done')
    expect(server.bodies.find(({ call }) => call === 'PUT /v1/stream/cam-0')?.body).toEqual({
      name: 'Camera 0',
      streamSource: gate.streamSource,
      tags: ['fence', 'yard'],
      location: gate.location,
      archive: gate.archive,
      live: gate.live,
      meta: { marker: gate.meta.marker },
      node: { id: 'a' },
    })
  },
)

test('deleting asks, names what goes, and takes the archives by default', async ({ page, server }) => {
  await open(page, server)
  await box(page, 'Camera 6').check()
  await box(page, 'Camera 7').check()
  await bar(page).getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete 2 streams?' })
  await expect(dialog.getByRole('listitem')).toHaveText(['Camera 6', 'Camera 7'])
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(bar(page)).toContainText('2 selected')
  await bar(page).getByRole('button', { name: 'Delete…' }).click()
  await expect(dialog.getByLabel('Also delete their archives')).toBeChecked()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('link', { name: /^Camera/ })).toHaveCount(6)
  expect(calls(server, 'DELETE')).toEqual(['DELETE /v1/stream/cam-6?purge=true', 'DELETE /v1/stream/cam-7?purge=true'])
})

test('who may change no stream can select none', { tag: '@long' }, async ({ page, server }) => {
  server.answer('GET /v1/user', { json: reader })
  await open(page, server)
  await expect(page.getByRole('checkbox')).toHaveCount(8)
  for (const camera of cameras) camera.meta.canAdmin = false
  await page.reload()
  await expect(page.getByRole('link', { name: 'Camera 1' })).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  for (const camera of cameras) camera.meta.canAdmin = true
})

test(
  'all of a list are chosen, those not loaded yet too, and each shows what became of it',
  { tag: '@long' },
  async ({ page, server, problems }) => {
    const total = 200
    const many = Array.from({ length: total }, (_, index) => ({
      ...gate,
      uid: `cam-${index}`,
      name: `Camera ${String(index).padStart(4, '0')}`,
    }))
    const asked: string[] = []
    server.answer('GET /v1/streams', (request) => {
      const query = new URL(request.url()).searchParams
      const page = Number(query.get('page'))
      if (query.has('onlyAvailable')) asked.push(`${query.getAll('searchingValues').join()} ${page}`)
      return { json: { items: many.slice((page - 1) * 50, page * 50), page, pageSize: 50, total } }
    })
    for (const { uid } of many)
      server.answer(
        `POST /v1/stream/pause/${uid}`,
        uid === 'cam-187' ? { status: 403, json: { code: 'Forbidden' } } : { json: { status: 'paused' } },
      )
    await answerPreviews(page, server)
    await page.goto('/ui/streams?view=table&search=camera')
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await expect(bar(page)).toContainText('200 selected')
    expect(asked.toSorted()).toEqual(['camera 1', 'camera 2', 'camera 3', 'camera 4'])
    await bar(page).getByRole('button', { name: 'Pause', exact: true }).click()
    await confirmPause(page, 200)
    await expect(bar(page)).toContainText('199 of 200 done')
    await expect(bar(page)).toContainText('1 failed')
    expect(calls(server, 'POST').length).toBe(total)
    await bar(page).getByRole('button', { name: 'Results' }).click()
    const results = page.getByRole('dialog', { name: 'Result for each stream' })
    await results.getByRole('button', { name: 'All 200' }).waitFor()
    expect(await results.getByRole('listitem').count()).toBeLessThan(40)
    await results.getByRole('button', { name: 'Failed 1' }).click()
    await expect(results.getByRole('listitem')).toHaveText([/Camera 0187/])
    await page.keyboard.press('Escape')
    await bar(page).getByRole('button', { name: 'Clear selection' }).click()
    await page.getByRole('link', { name: 'Camera 0001' }).focus()
    await page.keyboard.press('Control+a')
    await expect(bar(page)).toContainText('200 selected')
    expect(problems.filter((problem) => !problem.includes('403'))).toEqual([])
  },
)
