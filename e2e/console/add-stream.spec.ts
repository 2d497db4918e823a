import { type Page, expect } from 'playwright/test'
import { reader, settings, gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerPreviews, expectAccessible } from './stream-fixture.ts'

test.beforeEach(async ({ page, server }) => {
  server.answer('GET /v1/stream/gate', { json: gate })
  await answerPreviews(page, server)
})

test.describe('add a stream', () => {
  const form = async (page: Page) => {
    await page.getByLabel('Stream source').fill('rtsp://cam.example/gate')
    await page.getByLabel('Name').fill('Gate')
  }

  test('probes the source, shows how it looks, adds it and opens its player', async ({ page, server, problems }) => {
    server.answer('GET /v1/stream/probe', {
      json: { tracks: [{ type: 'video', codec: 'h264', width: 1920, height: 1080 }] },
    })
    server.answer('POST /v1/stream', { json: { uid: 'gate' } })
    await page.goto('/ui/add-stream')
    await form(page)
    await page.getByRole('button', { name: 'Probe' }).click()
    await expect(page.getByText('H.264, 1920×1080')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Picture of the source' })).toBeVisible()
    expect(server.calls.filter((call) => /probe|preview/.test(call))).toEqual([
      'GET /v1/stream/probe?url=rtsp%3A%2F%2Fcam.example%2Fgate',
      'GET /v1/stream/preview?url=rtsp%3A%2F%2Fcam.example%2Fgate',
    ])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add stream' }).click()
    await expect(page).toHaveURL('/ui/stream/gate/view')
    expect(server.bodies.at(-1)).toEqual({
      call: 'POST /v1/stream',
      body: {
        name: 'Gate',
        streamSource: 'rtsp://cam.example/gate',
        tags: [],
        location: { name: '' },
        archive: { isEnable: true, depthHours: -1 },
        live: { onDemand: false },
        meta: { marker: '' },
      },
    })
    expect(problems).toEqual([])
  })

  test(
    'a read-only user, and a server without a licence, say so before one types',
    { tag: '@long' },
    async ({ page, server }) => {
      server.answer('GET /v1/user', { json: reader })
      await page.goto('/ui/add-stream')
      await expect(page.getByRole('heading', { name: "You can't add streams" })).toBeVisible()
      await expect(page.getByLabel('Stream source')).toHaveCount(0)
      await expectAccessible(page)
      server.answer('GET /v1/user', { json: { ...reader, maxStreamCreation: 2 } })
      await page.goto('/ui/add-stream')
      await expect(page.getByText('Max streams: 2.')).toBeVisible()
      server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, isLicenseExpired: true } })
      await page.goto('/ui/add-stream')
      await expect(page.getByRole('heading', { name: 'License is missing or expired' })).toBeVisible()
    },
  )

  test('adds several at once from a list, each line with its own result', async ({ page, server, problems }) => {
    server.answer('POST /v1/stream', (request) =>
      request.postDataJSON().name === 'Door'
        ? { status: 400, json: { code: 'ValidationError', details: { name: 'Taken already' } } }
        : { json: { uid: 'gate' } },
    )
    await page.goto('/ui/add-stream')
    await page.getByRole('button', { name: 'Several at once' }).click()
    await page
      .getByLabel('List of streams')
      .first()
      .fill(
        'name;source;tags\nGate;rtsp://me:secret@a.example/1;north|yard\nDoor;rtsp://b.example/2;\nHall;nowhere;\n;;attic',
      )
    const rows = page.getByRole('table').getByRole('row')
    const result = (row: number) => rows.nth(row).getByRole('cell').last()
    await expect(rows).toHaveCount(5)
    await expect(rows.nth(1)).toContainText('rtsp://me:***@a.example/1')
    await expect(result(3)).toHaveText('Source: Enter an address like rtsp://camera.example/stream')
    await expect(result(4)).toHaveText('Name: Fill this in; Source: Fill this in')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add 2 streams' }).click()
    await expect(rows.nth(1).getByRole('link', { name: 'Added' })).toHaveAttribute('href', '/ui/stream/gate/view')
    await expect(result(2)).toHaveText('Name: Taken already')
    await expect(page.getByRole('button', { name: 'Add 1 stream' })).toBeVisible()
    expect(server.bodies.map(({ body }) => body)).toMatchObject([
      { name: 'Gate', tags: ['north', 'yard'] },
      { name: 'Door' },
    ])
    await rows.nth(1).getByRole('link', { name: 'Added' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question).toHaveCount(0)
    await expect(page).toHaveURL('/ui/add-stream')
    await page.getByRole('button', { name: 'One stream' }).click()
    await form(page)
    await page.getByRole('button', { name: 'Add stream' }).click()
    await expect(page.getByText('The stream has been added')).toBeVisible()
    await expect(rows).toHaveCount(5)
    expect(problems).toEqual([])
  })
})
