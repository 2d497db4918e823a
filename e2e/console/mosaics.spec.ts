import { expect } from 'playwright/test'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerPreviews, expectAccessible } from './stream-fixture.ts'

const cell = (streamUid: string, x: number, y: number, w = 1, h = 1) => ({ streamUid, x, y, w, h })
const still = { ...gate, status: 'paused' }

test('by clicks alone, on a phone, tiles are added, moved, sized, taken off, and all of it undone', async ({
  page,
  server,
  problems,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  server.answer('GET /v1/streams', {
    json: { items: [still, { ...still, uid: 'yard', name: 'Yard' }], page: 1, pageSize: 50, total: 2 },
  })
  server.answer('POST /v1/mosaic', { json: { id: 'wall' } })
  server.answer('GET /v1/mosaic/wall', { json: { id: 'wall', name: 'Wall', columns: 1, rows: 1, cells: [] } })
  await page.goto('/ui/create-mosaic')
  await page.getByLabel('Name').fill('Wall')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  for (const name of [
    'Add Gate',
    'Move Gate to column 2, row 2',
    'Move left',
    'Wider',
    'Add Yard',
    'Move right',
    'Undo',
    'Move right',
  ])
    await press(name)
  await expect(page.getByRole('group', { name: 'Selected tile' }).getByRole('status')).toHaveText(
    'Yard, column 2, row 1, 1 by 1',
  )
  await expectAccessible(page)
  for (const name of ['Add Gate', 'Add Gate']) await press(name)
  await page.getByRole('group', { name: 'Selected tile' }).getByRole('button', { name: 'Remove Gate' }).click()
  await press('Gate, column 1, row 2, 2 by 1')
  await expect(page.getByRole('button', { name: 'Taller' })).toBeDisabled()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await press('Save')
  await expect(page).toHaveURL('/ui/mosaic/wall')
  const saved = {
    name: 'Wall',
    columns: 3,
    rows: 2,
    cells: [cell('gate', 0, 1, 2, 1), cell('yard', 1, 0), cell('gate', 0, 0)],
  }
  expect(server.bodies).toEqual([{ call: 'POST /v1/mosaic', body: saved }])
  expect(problems).toEqual([])
})

test('the list asks for the pictures that there are', { tag: '@long' }, async ({ page, server, problems }) => {
  const cells = ['cam-0', 'cam-1', 'cam-0', 'gone'].map((uid, index) => cell(uid, index, 0))
  server.answer('GET /v1/mosaics', {
    json: {
      items: [{ id: 'wall', name: 'Wall', columns: 4, rows: 1, cells, meta: { canAdmin: true }, missing: ['gone'] }],
    },
  })
  await answerPreviews(page, server)
  await page.goto('/ui/mosaics')
  await expect(page.getByRole('listitem').filter({ hasText: 'Wall' })).toContainText('4 cameras · 1 missing')
  await expect(page.locator('main img')).toHaveCount(3)
  expect(server.calls.filter((call) => call.includes('/preview')).toSorted()).toEqual(
    ['cam-0', 'cam-1'].map((uid) => `GET /v1/stream/preview?stream_id=${uid}`),
  )
  expect(problems).toEqual([])
})

test(
  'a kiosk shows the pictures alone, and one after the other in full',
  { tag: '@long' },
  async ({ page, server, problems }) => {
    const yard = { ...still, uid: 'yard', name: 'Yard' }
    const cells = [cell('gate', 0, 0), cell('yard', 1, 0)]
    server.answer('GET /v1/mosaic/wall', {
      json: { id: 'wall', name: 'Wall', columns: 2, rows: 1, cells, streams: [still, yard], meta: { canAdmin: true } },
    })
    await page.clock.install()
    await page.goto('/ui/mosaic/wall?kiosk=1&cycle=20s')
    const tiles = page.getByRole('article')
    await expect(tiles).toHaveCount(2)
    await expect(page.getByRole('banner')).toHaveCount(0)
    for (const shown of ['Gate', 'Yard', '']) {
      await page.clock.fastForward(20_000)
      const inFull = tiles.filter({ has: page.getByRole('button', { name: 'Show all', includeHidden: true }) })
      await expect(inFull).toHaveCount(shown === '' ? 0 : 1)
      if (shown !== '') await expect(inFull).toContainText(shown)
    }
    expect(problems).toEqual([])
  },
)
