// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, vi } from 'vitest'
import { type FakeServer, gate, reader, settings } from '../fixtures/fake-server.ts'
import { floorPlanPng } from '../fixtures/floor-plan.ts'
import { at, bodyOf, expect, fill, focused, part, press, test, textsOf, titled, toast, until } from './console.tsx'
import { drag } from './pointer.ts'

const dock = { ...gate, uid: 'dock', name: 'Dock', status: 'failed' }
const near = { streamId: 'gate', x: 0.25, y: 0.5 }
const far = { streamId: 'dock', x: 0.75, y: 0.5, direction: 90 }
const bare = { id: 'p1', title: 'Ground floor', width: 1200, height: 800, picture: 'v1', cameras: [near, far] }
const plan = { ...bare, streams: [gate, dock] }
const png = { body: floorPlanPng(), headers: { 'content-type': 'image/png' } }

beforeEach<{ server: FakeServer }>(({ server }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['plans'] } })
  server.answer('GET /v1/plans', { json: { items: [bare] } })
  server.answer('GET /v1/plan/p1', { json: plan })
  server.answer('GET /v1/plan/p1/picture', png)
  server.answer('GET /v1/streams', { json: { items: [dock, gate], page: 1, pageSize: 50, total: 2 } })
  server.answer('GET /v1/stream/preview', { status: 204 })
  server.answer('PATCH /v1/plan/p1', { json: {} })
  server.answer('PUT /v1/plan/p1/picture', { json: {} })
  Object.assign(Element.prototype, { setPointerCapture: () => undefined })
  Object.assign(URL, { createObjectURL: () => 'blob:plan', revokeObjectURL: () => undefined })
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1200, 800))
})

const cameraOf = (name: string | RegExp) => screen.findByRole('button', { name })
const dropped = (element: Element, dataTransfer: object) =>
  fireEvent(
    element,
    Object.assign(new MouseEvent('drop', { bubbles: true, cancelable: true, clientX: 600, clientY: 200 }), {
      dataTransfer: { files: [], getData: () => '', ...dataTransfer },
    }),
  )

test('a server without plans has neither tab nor page, and is asked nothing of them', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: settings })
  await visit('/ui/plans')
  await screen.findByText('Page not found')
  await visit('/ui/mosaics')
  await titled('Mosaics')
  expect(textsOf((await part('navigation', 'Toolbar')).getAllByRole('link'))).not.toContain('Plans')
  expect(server.calls.filter((call) => call.includes('/plan'))).toEqual([])
})

test('plans are listed, added, and deleted when that is confirmed; others only look at them', async ({
  server,
  visit,
}) => {
  const listed = [bare]
  server.answer('GET /v1/plans', () => ({ json: { items: listed } }))
  server.answer('POST /v1/plans', { json: { id: 'p2', title: 'Roof' } })
  server.answer('GET /v1/plan/p2', { json: { id: 'p2', title: 'Roof', streams: [] } })
  server.answer('DELETE /v1/plan/p1', () => {
    listed.pop()
    return { json: {} }
  })
  await visit('/ui/mosaics')
  await press('link', 'Plans', await part('navigation', 'Toolbar'))
  await at('/ui/plans')
  await screen.findByText('1 plan')
  await press('button', 'Delete Ground floor')
  await press('button', 'Delete', await part('alertdialog', 'Delete the floor plan Ground floor?'))
  await screen.findByText('No floor plans yet')
  await press('button', 'Add floor plan')
  await fill('Title', ' Roof', await part('dialog', 'Add floor plan'))
  await press('button', 'Add', await part('dialog', 'Add floor plan'))
  await at('/ui/plan/p2/edit')
  expect(bodyOf(server, 'POST /v1/plans')).toEqual({ title: 'Roof' })
  await screen.findByText('Drop an image of the floor plan here, or choose a file.')

  listed.push({ ...bare, title: '' })
  await visit('/ui/plans')
  await screen.findByRole('link', { name: 'Edit p1' })
  await press('button', 'Delete p1')
  await part('alertdialog', 'Delete the floor plan p1?')
  listed.splice(0, 1, bare)
  server.answer('GET /v1/user', { json: reader })
  await visit('/ui/plans')
  await screen.findByText('1 plan')
  expect(screen.queryByRole('button', { name: 'Add floor plan' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Edit Ground floor' })).toBeNull()
  await visit('/ui/plan/p1/edit')
  await screen.findByText("You don't have access")
})

test('a plan shows its cameras with their state and picture; they open by Enter, and several as a mosaic', async ({
  server,
  visit,
}) => {
  server.answer('POST /v1/mosaic', { json: { id: 'm1' } })
  await visit('/ui/plan/p1')
  const first = await screen.findByRole('link', { name: 'Gate: Running' })
  const second = await screen.findByRole('link', { name: 'Dock: Failed, not recording' })
  await screen.findByText('1 failed', { exact: false })
  first.focus()
  await until(() => expect(server.calls).toContain('GET /v1/stream/preview?stream_id=gate'))
  fireEvent.keyDown(first, { key: 'ArrowRight' })
  await focused(second)
  fireEvent.keyDown(second, { key: ' ' })
  await screen.findByText('1 camera selected')
  fireEvent.click(first)
  await screen.findByRole('link', { name: 'Gate: Running, selected' })
  await press('button', 'Open as mosaic')
  await until(() => expect(server.count('POST /v1/mosaic')).toBe(1))
  expect(bodyOf(server, 'POST /v1/mosaic')).toEqual({
    name: 'Ground floor',
    columns: 2,
    rows: 1,
    cells: [
      { streamUid: 'dock', x: 0, y: 0, w: 1, h: 1 },
      { streamUid: 'gate', x: 1, y: 0, w: 1, h: 1 },
    ],
  })
  await at('/ui/mosaic/m1')
  await visit('/ui/plan/p1')
  const sign = await screen.findByRole('link', { name: 'Gate: Running' })
  expect(sign.getAttribute('href')).toBe('/ui/stream/gate/view')
})

test('a camera whose node is away is told from one that failed; a paused one stays paused', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/system/internal/ui/settings', {
    json: { ...settings, features: ['plans'], clusterEnabled: true, nodeId: 'a' },
  })
  const stray = { ...gate, status: 'pending', node: { id: 'b', available: false } }
  const streams = [stray, dock, { ...stray, uid: 'roof', name: 'Roof', node: {} }]
  streams.push({ ...stray, uid: 'yard', name: 'Yard', status: 'paused' })
  const cameras = streams.map(({ uid }, index) => ({ streamId: uid, x: index / 4, y: 0.5 }))
  server.answer('GET /v1/plan/p1', { json: { ...plan, cameras, streams } })
  await visit('/ui/plan/p1')
  const sign = await screen.findByRole('link', { name: 'Gate: Node b not available' })
  expect(textsOf(screen.getAllByRole('status'))).toContain('4 cameras · 1 failed · 2 on unavailable nodes')
  for (const name of ['Dock: Failed, not recording', 'Roof: No node', 'Yard: Paused, not recording'])
    screen.getByRole('link', { name })
  sign.focus()
  await until(() => expect(sign.closest('li')?.textContent).toBe('GateNode b not available'))
})

test('cameras are placed, moved, turned and removed, by a pointer and by keys, and saved together', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/plan/p1', { json: { ...plan, cameras: [near] } })
  await visit('/ui/plan/p1/edit')
  drag(await cameraOf('Gate: left 25%, top 50%'), [300, 400], [360, 320])
  const moved = await cameraOf('Gate: left 30%, top 40%')
  fireEvent.keyDown(moved, { key: 'ArrowRight', shiftKey: true })
  fireEvent.keyDown(moved, { key: ']', code: 'BracketRight' })
  await cameraOf('Gate: left 32.5%, top 40%, direction 5°')
  await press('button', 'Add Dock to the plan')
  const placed = await cameraOf('Dock: left 44%, top 34%')
  await focused(placed)
  fireEvent.keyDown(placed, { key: 'Delete' })
  await focused(await screen.findByRole('region', { name: 'Plan' }))
  await press('button', 'Undo')
  await cameraOf('Dock: left 44%, top 34%')
  dropped(await screen.findByRole('group', { name: 'Cameras on the plan' }), { getData: () => 'dock' })
  await cameraOf('Dock: left 50%, top 25%')
  await press('button', 'Save')
  await toast('The floor plan Ground floor has been saved')
  expect(bodyOf(server, 'PATCH /v1/plan/p1')).toEqual({
    cameras: [
      { streamId: 'gate', x: 0.325, y: 0.4, direction: 5 },
      { streamId: 'dock', x: 0.5, y: 0.25 },
    ],
  })
  expect(server.count('PUT /v1/plan/p1/picture')).toBe(0)
})

test('Ctrl Z undoes by the letter, on a checkbox too but not in a text field', async ({ visit }) => {
  await visit('/ui/plan/p1/edit')
  const camera = await cameraOf('Gate: left 25%, top 50%')
  fireEvent.click(camera)
  await press('checkbox', 'Show direction')
  await cameraOf('Gate: left 25%, top 50%, direction 0°')
  const ctrl = (element: Element, key: string, code: string) => fireEvent.keyDown(element, { key, code, ctrlKey: true })
  ctrl(screen.getByRole('textbox', { name: 'Title' }), 'z', 'KeyZ')
  const box = screen.getByRole('checkbox', { name: 'Show direction' })
  ctrl(box, 'w', 'KeyZ')
  await cameraOf('Gate: left 25%, top 50%, direction 0°')
  ctrl(box, 'z', 'KeyW')
  await cameraOf('Gate: left 25%, top 50%')
})

test('an image is checked, shown and saved, and unsaved changes ask before they are lost', async ({
  server,
  visit,
}) => {
  Object.assign(HTMLImageElement.prototype, { decode: async () => undefined })
  await visit('/ui/plan/p1/edit')
  const group = await screen.findByRole('group', { name: 'Cameras on the plan' })
  const fileOf = (type: string) => new File([new Uint8Array(floorPlanPng())], 'floor', { type })
  dropped(group, { files: [fileOf('image/svg+xml')] })
  await screen.findByText('Choose a PNG, JPEG or WebP image')
  dropped(group, { files: [fileOf('image/png')] })
  await screen.findByText('Not saved yet')
  await press('link', 'Ground floor')
  await press('button', 'Cancel', await part('alertdialog', 'Leave without saving?'))
  await press('button', 'Save')
  await toast('The floor plan Ground floor has been saved')
  expect([server.count('PUT /v1/plan/p1/picture'), server.count('PATCH /v1/plan/p1')]).toEqual([1, 0])
  await press('link', 'Ground floor')
  await at('/ui/plan/p1')
})

test('an image is saved after the rest, and not at all if that is refused', async ({ server, visit }) => {
  Object.assign(HTMLImageElement.prototype, { decode: async () => undefined })
  server.answer('PATCH /v1/plan/p1', { status: 409, json: { code: 'AlreadyUsed' } })
  await visit('/ui/plan/p1/edit')
  const group = await screen.findByRole('group', { name: 'Cameras on the plan' })
  dropped(group, { files: [new File([new Uint8Array(floorPlanPng())], 'floor', { type: 'image/png' })] })
  await screen.findByText('Not saved yet')
  await fill('Title', 'Basement')
  const saving = () => server.calls.filter((call) => /^(PATCH|PUT) /.test(call))
  await press('button', 'Save')
  await until(() => expect(saving()).toEqual(['PATCH /v1/plan/p1']))
  server.answer('PATCH /v1/plan/p1', { json: {} })
  await press('button', 'Save')
  await toast('The floor plan Basement has been saved')
  expect(saving()).toEqual(['PATCH /v1/plan/p1', 'PATCH /v1/plan/p1', 'PUT /v1/plan/p1/picture'])
})

test('Ctrl + click selects a camera; the first tap shows its picture, the second opens the player', async ({
  server,
  visit,
}) => {
  await visit('/ui/plan/p1')
  const sign = await screen.findByRole('link', { name: /^Gate: / })
  fireEvent.click(sign, { ctrlKey: true })
  await screen.findByText('1 camera selected')
  await press('button', 'Clear selection')
  const tap = () => {
    const target = screen.getByRole('link', { name: /^Gate: / })
    fireEvent(target, Object.assign(new MouseEvent('pointerdown', { bubbles: true }), { pointerType: 'touch' }))
    fireEvent.click(target)
  }
  const pictures = () => server.calls.filter((call) => call.includes('/stream/preview')).length
  const before = pictures()
  tap()
  await until(() => expect(pictures()).toBeGreaterThan(before))
  await at('/ui/plan/p1')
  tap()
  await at('/ui/stream/gate/view')
})
