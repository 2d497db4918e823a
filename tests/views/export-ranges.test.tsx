// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { type FakeServer, gate, settings } from '../fixtures/fake-server.ts'
import { silenceMediaElements } from '../fixtures/shaka.ts'
import { bodyOf, descriptionOf, expect, fill, part, press, test, textsOf, toast, until } from './console.tsx'

vi.mock('shaka-player/dist/shaka-player.hls-es2021.js', async () =>
  (await import('../fixtures/shaka.ts')).shakaModule(),
)

/** It draws on a canvas, which jsdom lacks. */
vi.mock('../../src/views/timeline/Timeline.tsx', () => ({ Timeline: () => null }))

silenceMediaElements()
afterEach(() => void vi.unstubAllGlobals())

const begin = Date.UTC(2026, 10, 21, 8)
const iso = (minutes: number) => new Date(begin + minutes * 60_000).toISOString()
const item = (from: number, to: number) => ({ streamId: 'gate', startTime: iso(from), endTime: iso(to) })

/** Opens the player with marks, and its dialog; an hour is recorded from `begin` on. Times are minutes after that. */
async function open(server: FakeServer, visit: (address: string) => Promise<void>, from: number, to: number) {
  vi.stubGlobal('MediaSource', { isTypeSupported: () => true })
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['exports'] } })
  server.answer('GET /v1/stream/gate', { json: gate })
  server.answer('GET /v1/stream/gate/archive/ranges', ({ url }) => {
    const { searchParams } = new URL(url())
    const period = { startTime: searchParams.get('start_time'), endTime: searchParams.get('end_time') }
    const ranges = [
      { date: iso(-60_000), status: 0 },
      { date: iso(0), status: 1 },
      { date: iso(60), status: 0 },
    ]
    return { json: { period, ranges } }
  })
  server.answer('POST /v1/exports', { json: { id: 'e1' } })
  await visit(`/ui/stream/gate/view?in=${iso(from)}&out=${iso(to)}`)
  const selection = await part('region', 'Selection')
  await press('button', 'Export', selection)
  return { selection, dialog: await part('dialog', 'Export the recording') }
}

test('a long range is exported in several files, without the parts that have no recordings', async ({
  server,
  visit,
}) => {
  const { dialog } = await open(server, visit, 0, 150)
  await dialog.findByText(
    'One video file can be at most 1 h long, so the export contains 2 files. Parts without recordings are left out.',
  )
  await press('button', 'Export', dialog)
  await toast('The export has started: see Exports')
  await until(() => expect(bodyOf(server, 'POST /v1/exports')).toEqual({ items: [item(0, 50), item(50, 100)] }))
})

test('a long range without recordings is not exported', async ({ server, visit }) => {
  const { dialog } = await open(server, visit, 70, 150)
  expect((await dialog.findByRole('alert')).textContent).toBe('There are no recordings in this period.')
  await press('button', 'Export', dialog)
  expect(server.count('POST /v1/exports')).toBe(0)
})

test('ranges that are added while the player is open are exported together, but for those removed', async ({
  server,
  visit,
}) => {
  const { selection, dialog } = await open(server, visit, 0, 10)
  await fill('Note', 'Case 7', dialog)
  await press('button', 'Add another range', dialog)
  const add = async (from: number, to: number, name: string) => {
    await until(() => expect(screen.queryByRole('dialog')).toBeNull())
    act(() => globalThis.history.pushState(null, '', `?in=${iso(from)}&out=${iso(to)}`))
    await press('button', name, selection)
    return part('dialog', 'Export the recording')
  }
  const second = await add(20, 30, 'Export, ranges added: 1')
  await press('button', 'Add another range', second)
  const third = await add(40, 45, 'Export, ranges added: 2')
  await press('button', 'Add another range', third)
  const fourth = await add(50, 56, 'Export, ranges added: 3')
  const listed = () => textsOf(fourth.getAllByRole('listitem'))
  expect(listed()).toEqual([/10 min$/, /10 min$/, /5 min$/, /6 min$/].map((length) => expect.stringMatching(length)))
  const removals = () => fourth.getAllByRole('button', { name: /^Remove / })
  const remove = async (index: number) => {
    const count = removals().length
    removals()[index]?.focus()
    fireEvent.click(removals()[index] ?? document.body)
    await until(() => expect(listed()).toHaveLength(count - 1))
  }
  await remove(1)
  expect(document.activeElement).toBe(removals()[1])
  await remove(2)
  expect(document.activeElement).toBe(fourth.getByRole('button', { name: 'Add another range' }))
  await press('button', 'Export', fourth)
  await toast('The export has started: see Exports')
  expect(bodyOf(server, 'POST /v1/exports')).toEqual({ items: [item(0, 10), item(40, 45)], note: 'Case 7' })
  await until(() => expect(selection.getByRole('button', { name: 'Export' })).toBeTruthy())
})

test('an end in the future is cut, and the dialog says so', async ({ server, visit }) => {
  const now = (Date.now() - begin) / 60_000
  const { dialog } = await open(server, visit, now - 10, now + 10)
  expect(dialog.getByText(/^The end is in the future: the video ends at /)).toBeTruthy()
  await press('button', 'Export', dialog)
  await toast('The export has started: see Exports')
  const [{ endTime }] = Object(bodyOf(server, 'POST /v1/exports')).items
  expect(Math.abs(Date.parse(endTime) - Date.now())).toBeLessThan(5 * 60_000)
})

test('time is drawn in the zone that the player shows, and a zone unknown to the server is said', async ({
  server,
  visit,
}) => {
  globalThis.localStorage.setItem('time-zone', JSON.stringify('Asia/Tokyo'))
  const { dialog } = await open(server, visit, 0, 10)
  const overlay = dialog.getByRole('checkbox', { name: 'Overlay time and camera name' })
  expect(descriptionOf(overlay)).toMatch(/^The time is in the zone Asia\/Tokyo, /)
  fireEvent.click(overlay)
  const details = { timezone: 'Unknown time zone' }
  server.answer('POST /v1/exports', { status: 400, json: { code: 'ValidationError', details } })
  await press('button', 'Export', dialog)
  expect((await dialog.findByRole('alert')).textContent).toBe('There is no such time zone')
  server.answer('POST /v1/exports', { json: { id: 'e1' } })
  await press('button', 'Export', dialog)
  await toast('The export has started: see Exports')
  const body = { items: [item(0, 10)], overlay: true, timezone: 'Asia/Tokyo' }
  expect(server.bodies).toEqual([body, body].map((sent) => ({ call: 'POST /v1/exports', body: sent })))
})
