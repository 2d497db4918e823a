// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { type FakeServer, gate, settings } from '../fixtures/fake-server.ts'
import { silenceMediaElements } from '../fixtures/shaka.ts'
import { enter, expect, fill, part, press, test, until } from './console.tsx'

vi.mock('shaka-player/dist/shaka-player.hls-es2021.js', async () =>
  (await import('../fixtures/shaka.ts')).shakaModule(),
)

/** It draws on a canvas, which jsdom lacks. */
vi.mock('../../src/views/timeline/Timeline.tsx', () => ({ Timeline: () => null }))

silenceMediaElements()

const ptz = { move: true, zoom: true, presets: true, home: false }
const address = '/ui/stream/gate/view'

beforeEach<{ server: FakeServer }>(({ server }) => {
  vi.stubGlobal('MediaSource', { isTypeSupported: () => true })
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['ptz'] } })
  server.answer('GET /v1/stream/gate', { json: { ...gate, ptz } })
  server.answer('GET /v1/stream/gate/ptz/presets', { json: { items: [{ token: '1', name: 'North gate' }] } })
  server.answer('POST /v1/stream/gate/ptz', { json: {} })
})
afterEach(() => void vi.unstubAllGlobals())

const sent = (server: FakeServer) =>
  server.bodies.flatMap(({ call, body }) => (call === 'POST /v1/stream/gate/ptz' ? [body] : []))
const openPad = async () => {
  await press('button', 'PTZ')
  return part('region', 'PTZ')
}

test('a stream without PTZ has no button for it', async ({ server, visit }) => {
  server.answer('GET /v1/stream/gate', { json: gate })
  await visit(address)
  await screen.findByRole('button', { name: 'Snapshot' })
  expect(screen.queryByRole('button', { name: 'PTZ' })).toBeNull()
})

test('keys that are held together turn the camera until they are released', async ({ server, visit }) => {
  await visit(address)
  await openPad()
  const pad = screen.getByRole('region', { name: 'PTZ' })
  await until(() => expect(document.activeElement).toBe(pad))
  fireEvent.keyDown(pad, { key: 'ArrowRight' })
  fireEvent.keyDown(pad, { key: 'ArrowUp' })
  await until(() => expect(sent(server)).toContainEqual({ move: { pan: 0.5, tilt: 0.5, zoom: 0 } }))
  fireEvent.keyUp(pad, { key: 'ArrowRight' })
  fireEvent.keyUp(pad, { key: 'ArrowUp' })
  await until(() => expect(sent(server).at(-1)).toEqual({ stop: true }))
})

test('Cmd ends a held move, as macOS does not report the release of its key', async ({ server, visit }) => {
  await visit(address)
  await openPad()
  const pad = screen.getByRole('region', { name: 'PTZ' })
  fireEvent.keyDown(pad, { key: 'Meta', metaKey: true })
  fireEvent.keyDown(pad, { key: 'ArrowRight' })
  await until(() => expect(sent(server)).toEqual([{ move: { pan: 0.5, tilt: 0, zoom: 0 } }]))
  fireEvent.keyDown(pad, { key: 'Meta', metaKey: true })
  await until(() => expect(sent(server).at(-1)).toEqual({ stop: true }))
})

test('a button turns the camera while it is pressed; what the camera lacks is off', async ({ server, visit }) => {
  await visit(address)
  const pad = await openPad()
  const closer = await pad.findByRole('button', { name: 'Optical zoom +' })
  fireEvent.keyDown(closer, { key: 'Enter' })
  await until(() => expect(sent(server)).toContainEqual({ move: { pan: 0, tilt: 0, zoom: 0.5 } }))
  fireEvent.keyUp(closer, { key: 'Enter' })
  await until(() => expect(sent(server).at(-1)).toEqual({ stop: true }))
  expect(pad.getByRole('button', { name: 'Home position' }).matches(':disabled')).toBe(true)
})

const reason = 'HTTP_UNAUTHORIZED'
const refusal = { status: 400, json: { code: 'ProbeError', message: reason, details: { reason } } }
const refused = "The camera doesn't accept this login and password."

test('a camera that refuses says why', async ({ server, visit }) => {
  server.answer('POST /v1/stream/gate/ptz', refusal)
  await visit(address)
  const pad = await openPad()
  await press('button', 'North gate', pad)
  expect(await pad.findByText(refused)).toBeDefined()
  expect(sent(server)).toEqual([{ preset: '1' }])
})

test('presets are saved by name, and deleted after a question', async ({ server, visit }) => {
  server.answer('POST /v1/stream/gate/ptz/presets', { json: { token: '2', name: 'Yard' } })
  server.answer('DELETE /v1/stream/gate/ptz/presets/1', { json: {} })
  await visit(address)
  const pad = await openPad()
  await pad.findByRole('button', { name: 'North gate' })
  await fill('Name of a new preset', 'Yard', pad)
  enter(pad.getByLabelText('Name of a new preset'))
  await until(() => expect(server.bodies.at(-1)?.body).toEqual({ name: 'Yard' }))
  await press('button', 'Delete the preset North gate', pad)
  const question = await part('alertdialog', 'Delete the preset?')
  fireEvent.keyDown(question.getByRole('button', { name: 'Cancel' }), { key: 'ArrowLeft' })
  await press('button', 'Delete', question)
  await until(() => expect(server.count('DELETE /v1/stream/gate/ptz/presets/1')).toBe(1))
  expect(sent(server)).toEqual([])
  await until(() => expect(server.count('GET /v1/stream/gate/ptz/presets')).toBe(3))
})

test('the name of a preset takes no text while none can be saved', async ({ server, visit }) => {
  const isReadOnly = async (pad: Awaited<ReturnType<typeof openPad>>) =>
    (await pad.findByLabelText('Name of a new preset')).hasAttribute('readonly')
  await visit(address)
  const pad = await openPad()
  await pad.findByRole('button', { name: 'North gate' })
  expect(await isReadOnly(pad)).toBe(false)
  server.answer('POST /v1/stream/gate/ptz/presets', { json: { token: '2', name: 'Yard' } })
  server.answer('GET /v1/stream/gate/ptz/presets', refusal)
  await fill('Name of a new preset', 'Yard', pad)
  enter(pad.getByLabelText('Name of a new preset'))
  await pad.findByText(refused)
  expect(await isReadOnly(pad)).toBe(true)
})

test('Esc closes the pad', async ({ visit }) => {
  await visit(address)
  await openPad()
  fireEvent.keyDown(screen.getByRole('region', { name: 'PTZ' }), { key: 'Escape' })
  await until(() => expect(screen.queryByRole('region', { name: 'PTZ' })).toBeNull())
})
