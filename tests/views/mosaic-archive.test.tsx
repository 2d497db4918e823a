// @vitest-environment jsdom
import { act, fireEvent, screen, type within } from '@testing-library/react'
import { beforeEach, vi } from 'vitest'
import { type FakeServer, gate, settings } from '../fixtures/fake-server.ts'
import { bodyOf, descriptionOf, expect, fill, focused, part, press, test, textsOf, toast, until } from './console.tsx'

/** shaka that loads for ever: it shows nothing. */
vi.mock('shaka-player/dist/shaka-player.hls-es2021.js', () => {
  class Player {
    attach = async () => undefined
    configure() {}
    addEventListener() {}
    getNetworkingEngine = () => null
    getVariantTracks = () => []
    cancelTrickPlay() {}
    seekRange = () => ({ start: 0, end: 0 })
    load = () => new Promise(() => undefined)
    unload = async () => undefined
    destroy = async () => undefined
  }
  const RequestType = { MANIFEST: 0, SEGMENT: 1 }
  const NetworkingEngine = { RequestType, AdvancedRequestType: { INIT_SEGMENT: 0 } }
  return { default: { Player, net: { NetworkingEngine }, polyfill: { Map: { install() {} } } } }
})

/** It draws on a canvas, which jsdom lacks. */
vi.mock('../../src/views/mosaics/tracks-loop.ts', () => ({ trackHeight: 24, runTracks: () => () => undefined }))

const still = async () => undefined
Object.assign(HTMLMediaElement.prototype, { play: still, load: still, pause: still })

const begin = Date.UTC(2026, 10, 21, 8)
const iso = (minutes: number) => new Date(begin + minutes * 60_000).toISOString()
const link = `/ui/mosaic/wall?at=${iso(2)}&in=${iso(0)}&out=${iso(10)}`

const camera = (uid: string, name: string, canViewArchive = true, canAdmin = false) => ({
  ...gate,
  uid,
  name,
  bitrate: 8_000_000,
  meta: { ...gate.meta, canAdmin, canViewArchive },
})
const streams = [
  camera('gate', 'Gate'),
  camera('yard', 'Yard'),
  camera('cellar', 'Cellar', false),
  camera('hall', 'Hall'),
]
/** From when to when each is recorded, in minutes. */
const recorded: Readonly<Record<string, readonly [number, number]>> = {
  gate: [-600, 600],
  yard: [-600, 4],
  hall: [30, 600],
}

function open(server: FakeServer, features: readonly string[], shown = streams): void {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features } })
  const cells = shown.map(({ uid }, x) => ({ streamUid: uid, x, y: 0, w: 1, h: 1 }))
  const meta = { canAdmin: true }
  server.answer('GET /v1/mosaic/wall', {
    json: { id: 'wall', name: 'Wall', columns: 4, rows: 1, cells, streams: shown, meta },
  })
  server.answer('GET /v1/stream/cellar/archive/ranges', { status: 403, json: { code: 'Forbidden' } })
  for (const [uid, [from, to]] of Object.entries(recorded)) {
    server.answer(`GET /v1/stream/${uid}/archive/stats`, {
      json: { period: { startTime: iso(from), endTime: iso(to) } },
    })
    server.answer(`GET /v1/stream/${uid}/archive/ranges`, ({ url }) => {
      const { searchParams } = new URL(url())
      const period = { startTime: searchParams.get('start_time'), endTime: searchParams.get('end_time') }
      const ranges = [
        { date: iso(-60_000), status: 0 },
        { date: iso(from), status: 1 },
        { date: iso(to), status: 0 },
      ]
      return { json: { period, ranges } }
    })
  }
}

beforeEach(() => {
  vi.stubGlobal('MediaSource', { isTypeSupported: () => true })
  Object.defineProperty(document, 'fonts', {
    configurable: true,
    value: { addEventListener() {}, removeEventListener() {} },
  })
})

const selection = () => part('region', 'Selection')
const box = (dialog: ReturnType<typeof within>, name: string) => dialog.getByRole('checkbox', { name })

test('the cameras of a mosaic that have recordings between the marks are exported, but for those left out', async ({
  server,
  visit,
}) => {
  open(server, ['exports'])
  server.answer('POST /v1/exports', { json: { id: 'e1' } })
  await visit(link)
  await press('button', 'Export', await selection())
  const dialog = await part('dialog', 'Export the recordings')
  await until(() => expect(box(dialog, 'Yard')).toHaveProperty('checked', true))
  const looks = streams.map(({ name }) => {
    const element = box(dialog, name)
    const { checked, disabled } = element instanceof HTMLInputElement ? element : { checked: null, disabled: null }
    return [name, checked, disabled, descriptionOf(element).trim()]
  })
  expect(looks).toEqual([
    ['Gate', true, false, 'no gapsabout 600 MB'],
    ['Yard', true, false, '1 gap, 6 minabout 240 MB'],
    ['Cellar', false, true, 'Left out: you may not download its archive'],
    ['Hall', false, true, 'Left out: no recordings'],
  ])
  expect(dialog.getByRole('status').textContent).toBe('2 cameras selectedabout 840 MB')

  for (const name of ['Gate', 'Yard']) fireEvent.click(box(dialog, name))
  await press('button', 'Export', dialog)
  expect((await dialog.findByRole('alert')).textContent).toBe('Select at least one camera.')
  fireEvent.click(box(dialog, 'Yard'))
  await fill('Note', 'Case 7', dialog)
  await press('button', 'Export', dialog)
  await toast('The export has started: see Exports')
  await until(() => expect(screen.queryByRole('dialog')).toBeNull())
  const item = { streamId: 'yard', startTime: iso(0), endTime: iso(10) }
  expect(server.bodies).toEqual([{ call: 'POST /v1/exports', body: { items: [item], note: 'Case 7' } }])
  expect(server.calls.filter((call) => call.includes('/cellar/archive/ranges') && call.includes(iso(10)))).toEqual([])
})

test('of a long range each camera has several files, without the parts that have no recordings', async ({
  server,
  visit,
}) => {
  open(server, ['exports'])
  server.answer('POST /v1/exports', { json: { id: 'e1' } })
  await visit(link.replace(iso(10), iso(90)))
  await press('button', 'Export', await selection())
  const dialog = await part('dialog', 'Export the recordings')
  await dialog.findByText(
    'One video file can be at most 1 h long, so the export contains 5 files. Parts without recordings are left out.',
  )
  await press('button', 'Export', dialog)
  await toast('The export has started: see Exports')
  const item = (streamId: string, from: number, to: number) => ({ streamId, startTime: iso(from), endTime: iso(to) })
  const items = [
    item('gate', 0, 45),
    item('gate', 45, 90),
    item('yard', 0, 45),
    item('hall', 0, 45),
    item('hall', 45, 90),
  ]
  await until(() => expect(server.bodies).toEqual([{ call: 'POST /v1/exports', body: { items } }]))
})

test('ranges that are added while the mosaic is open are exported together, each of its cameras', async ({
  server,
  visit,
}) => {
  open(server, ['exports'])
  const details = { 'items.0.startTime': 'Deleted meanwhile', 'items.2.startTime': 'Locked by another user' }
  server.answer('POST /v1/exports', { status: 400, json: { code: 'ValidationError', details } })
  await visit(link)
  const bar = await selection()
  await press('button', 'Export', bar)
  const first = await part('dialog', 'Export the recordings')
  await until(() => expect(box(first, 'Yard')).toHaveProperty('checked', true))
  fireEvent.click(box(first, 'Gate'))
  await fill('Note', 'Case 7', first)
  await press('button', 'Add another range', first)
  await until(() => expect(screen.queryByRole('dialog')).toBeNull())
  act(() => globalThis.history.pushState(null, '', `?at=${iso(2)}&in=${iso(30)}&out=${iso(50)}`))
  await until(() => expect(bar.getByText(/^Selection /).textContent).toMatch(/:30:00 – .*:50:00$/))
  await press('button', 'Export, ranges added: 1', bar)
  const second = await part('dialog', 'Export the recordings')
  await until(() => expect(box(second, 'Hall')).toHaveProperty('checked', true))
  const listed = () => textsOf(second.getAllByRole('listitem'))
  expect(listed()).toEqual([/10 minYard$/, /20 minGate, Hall$/].map((text) => expect.stringMatching(text)))
  expect(second.getByRole('status').textContent).toBe('2 cameras selectedabout 2.6 GB in total')
  await press('button', 'Export', second)
  await until(() => expect(listed()[0]).toMatch(/Deleted meanwhile$/))
  expect(listed()[1]).toMatch(/Gate, Hall$/)
  expect(descriptionOf(box(second, 'Hall'))).toMatch(/Locked by another user$/)
  server.answer('POST /v1/exports', { json: { id: 'e1' } })
  fireEvent.click(box(second, 'Hall'))
  await press('button', 'Export', second)
  await toast('The export has started: see Exports')
  const item = (streamId: string, from: number, to: number) => ({ streamId, startTime: iso(from), endTime: iso(to) })
  expect(bodyOf(server, 'POST /v1/exports')).toEqual({
    items: [item('yard', 0, 10), item('gate', 30, 50)],
    note: 'Case 7',
  })
  await until(() => expect(bar.getByRole('button', { name: 'Export' })).toBeTruthy())
})

test('the range of the cameras that the user may administer is locked', async ({ server, visit }) => {
  open(server, ['locks'], [camera('gate', 'Gate', true, true), camera('yard', 'Yard')])
  server.answer('POST /v1/stream/gate/archive/locks', { json: {} })
  await visit(link)
  await press('button', 'Lock', await selection())
  const dialog = await part('dialog', 'Lock the recordings')
  expect(descriptionOf(box(dialog, 'Yard'))).toBe('Left out: you may not lock its recordings')
  await fill('Reason', ' Theft ', dialog)
  await press('button', 'Lock', dialog)
  await toast('The recording is locked')
  await until(() => expect(screen.queryByRole('dialog')).toBeNull())
  const body = { startTime: iso(0), endTime: iso(10), reason: 'Theft' }
  expect(server.bodies).toEqual([{ call: 'POST /v1/stream/gate/archive/locks', body }])
})

test('without exports on the server and the right to lock there are marks only, which the buttons set and clear', async ({
  server,
  visit,
}) => {
  open(server, ['locks'])
  await visit(link)
  const bar = await selection()
  expect(bar.getByText(/^Selection /).textContent).toMatch(/:00:00 – .*:10:00$/)
  for (const name of ['Export', 'Lock']) expect(bar.queryByRole('button', { name })).toBeNull()
  await press('button', 'Clear selection', bar)
  await until(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull())
  await press('button', 'Mark out')
  expect((await selection()).getByText('Press I to mark the start')).toBeTruthy()
  await press('button', 'Mark in')
  expect((await selection()).getByText('Press O to mark the end')).toBeTruthy()
})

test('the shuttle and < play all tiles backwards; L and a pause lead back', async ({ server, visit }) => {
  open(server, [])
  await visit(link)
  const panel = await part('region', 'Archive')
  await press('button', 'Shuttle', panel)
  const shuttle = await panel.findByRole('slider', { name: 'Shuttle' })
  const key = (element: Element, name: string) => fireEvent.keyDown(element, { key: name })
  key(shuttle, 'ArrowLeft')
  key(shuttle, 'ArrowLeft')
  await panel.findByRole('button', { name: 'Speed −2×' })
  key(shuttle, 'Escape')
  await panel.findByRole('button', { name: 'Play' })
  await panel.findByRole('button', { name: 'Speed 1×' })
  key(shuttle, 'Escape')
  await until(() => expect(panel.queryByRole('slider', { name: 'Shuttle' })).toBeNull())
  expect(document.activeElement).toBe(panel.getByRole('button', { name: 'Shuttle' }))
  const timeline = panel.getByRole('slider', { name: 'Timeline' })
  for (const name of ['<', '<', '<', 'l']) key(timeline, name)
  await panel.findByRole('button', { name: 'Speed −2×' })
  key(timeline, 'k')
  await panel.findByRole('button', { name: 'Play' })
})

test('the shuttle closes with the archive, and stays closed when that plays again', async ({ server, visit }) => {
  open(server, [])
  await visit(link)
  const panel = await part('region', 'Archive')
  await press('button', 'Shuttle', panel)
  const shuttle = await panel.findByRole('slider', { name: 'Shuttle' })
  await focused(shuttle)
  fireEvent.keyDown(shuttle, { key: 'g' })
  await until(() => expect(panel.queryByRole('slider', { name: 'Shuttle' })).toBeNull())
  const timeline = panel.getByRole('slider', { name: 'Timeline' })
  timeline.focus()
  fireEvent.keyDown(timeline, { key: 'ArrowLeft' })
  await panel.findByRole('button', { name: 'Pause' })
  expect(panel.queryByRole('slider', { name: 'Shuttle' })).toBeNull()
  expect(document.activeElement).toBe(timeline)
})

test('a tap shows the tools of one tile; the mouse shows them without a mark', async ({ server, visit }) => {
  open(server, [])
  await visit('/ui/mosaic/wall')
  const tiles = await until(() => {
    const all = screen.getAllByRole('article')
    expect(all).toHaveLength(4)
    return all
  })
  const tap = (index: number, pointerType: string) => {
    const tile = tiles[index] ?? document.body
    tile.checkVisibility = () => true
    fireEvent.pointerDown(tile, { pointerType })
    return tiles.map((one) => one.dataset['tapped'] ?? '')
  }
  expect([tap(1, 'mouse'), tap(1, 'touch'), tap(2, 'touch')]).toEqual([
    ['', '', '', ''],
    ['', 'true', '', ''],
    ['', '', 'true', ''],
  ])
})

test('M turns the sound of the enlarged camera on, and the sound off', async ({ server, visit }) => {
  open(server, [])
  await visit('/ui/mosaic/wall')
  const wall = await screen.findByRole('region', { name: 'Wall' })
  const key = (name: string) => fireEvent.keyDown(wall, { key: name })
  key('m')
  key('2')
  await until(() => screen.getByRole('button', { name: 'Unmute Yard' }))
  key('m')
  await until(() => screen.getByRole('button', { name: 'Mute Yard' }))
  key('m')
  await until(() => screen.getByRole('button', { name: 'Unmute Yard' }))
})
