// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { describe } from 'vitest'
import { type FakeServer, gate, settings } from '../fixtures/fake-server.ts'
import { bodyOf, descriptionOf, expect, field, fill, holds, press, test, toast, until } from './console.tsx'

const sourcesIn = (body: unknown) =>
  typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).filter(([name]) => name.endsWith('Source')))
    : body

/** Types a value that grows by a letter at a time, as a person does. */
async function typeSlowly(label: string, value: string): Promise<void> {
  for (let length = 1; length <= value.length; length += 1) await fill(label, value.slice(0, length))
}

const video = (width: number, height: number) => ({
  json: { tracks: [{ type: 'video', codec: 'h264', width, height, fps: 25 }] },
})

describe('add a stream', () => {
  test.beforeEach(async ({ server, visit }) => {
    server.answer('POST /v1/stream', { json: { uid: 'gate' } })
    server.answer('GET /v1/stream/gate', { json: gate })
    await visit('/ui/add-stream')
  })

  const add = async (server: FakeServer) => {
    await fill('Name', 'Gate')
    await press('button', 'Add stream')
    await until(() => expect(server.count('POST /v1/stream')).toBe(1))
    return sourcesIn(bodyOf(server, 'POST /v1/stream'))
  }

  test('fills login and password into both addresses, whatever signs they have', async ({ server }) => {
    await fill('Stream source', 'rtsp://cam.example/1')
    await fill('Login', 'ann')
    await fill('Password', 'a@b:c/d#e')
    await fill('Substream', 'rtsp://cam.example/2')
    expect(await add(server)).toEqual({
      streamSource: 'rtsp://ann:a%40b%3Ac%2Fd%23e@cam.example/1',
      substreamSource: 'rtsp://ann:a%40b%3Ac%2Fd%23e@cam.example/2',
    })
  })

  test('knows the usual addresses of makers, at the host that is typed', async ({ server }) => {
    await fill('Login', 'ann')
    await fill('Stream source', '192.168.1.64')
    await press('button', 'Dahua')
    await holds('Substream', 'rtsp://192.168.1.64:554/cam/realmonitor?channel=1&subtype=1')
    await press('button', 'Hikvision')
    expect(await add(server)).toEqual({
      streamSource: 'rtsp://ann@192.168.1.64:554/Streaming/Channels/101',
      substreamSource: 'rtsp://ann@192.168.1.64:554/Streaming/Channels/102',
    })
  })

  test('shows the credentials of a pasted address apart', async ({ server }) => {
    await fill('Stream source', 'rtsp://ann:p%40ss@cam.example/1')
    await holds('Stream source', 'rtsp://cam.example/1')
    await holds('Login', 'ann')
    await holds('Password', 'p@ss')
    expect(await add(server)).toEqual({ streamSource: 'rtsp://ann:p%40ss@cam.example/1' })
  })

  test('takes an address that is typed apart only when it is left', async ({ server }) => {
    await typeSlowly('Stream source', 'rtsp://ann:p@ss@cam.example/1')
    await holds('Stream source', 'rtsp://ann:p@ss@cam.example/1')
    fireEvent.blur(await field('Stream source'))
    await holds('Stream source', 'rtsp://cam.example/1')
    await holds('Password', 'p@ss')
    expect(await add(server)).toEqual({ streamSource: 'rtsp://ann:p%40ss@cam.example/1' })
  })

  test('keeps credentials that are typed when an address brings its own, and the other way round', async ({
    server,
  }) => {
    await fill('Login', 'ann')
    await fill('Password', 'x')
    await fill('Stream source', 'rtsp://cam.example/1')
    await fill('Substream', 'rtsp://ben:y@cam.example/2')
    await holds('Substream', 'rtsp://ben:y@cam.example/2')
    await holds('Login', 'ann')
    expect(descriptionOf(await field('Substream'))).toBe('The login and password in this address are used.')
    expect(await add(server)).toEqual({
      streamSource: 'rtsp://ann:x@cam.example/1',
      substreamSource: 'rtsp://ben:y@cam.example/2',
    })
  })

  test('probes both, and says so where the substream is as large', async ({ server }) => {
    let substream = video(1920, 1080)
    server.answer('GET /v1/stream/probe', (request) =>
      new URL(request.url()).searchParams.get('url')?.endsWith('/2') === true ? substream : video(1920, 1080),
    )
    await fill('Stream source', 'rtsp://cam.example/1')
    await fill('Login', 'ann')
    await fill('Substream', 'rtsp://cam.example/2')
    await press('button', 'Probe')
    await until(() => expect(screen.getAllByText('H.264, 1920×1080, 25 fps')).toHaveLength(2))
    await screen.findByText(/The substream's picture is as large as the main stream's/)
    expect(server.calls.filter((call) => call.includes('/probe')).toSorted()).toEqual([
      'GET /v1/stream/probe?url=rtsp%3A%2F%2Fann%40cam.example%2F1',
      'GET /v1/stream/probe?url=rtsp%3A%2F%2Fann%40cam.example%2F2',
    ])
    substream = video(640, 360)
    await press('button', 'Probe')
    await screen.findByText('H.264, 640×360, 25 fps')
    expect(screen.queryByText(/as large as/)).toBeNull()
    await fill('Password', 'x')
    await until(() => expect(screen.queryByText(/fps/)).toBeNull())
  })
})

describe('stream settings', () => {
  const own = 'GET /v1/stream/gate'
  const save = async (server: FakeServer) => {
    await press('button', 'Save')
    await toast('Stream settings has been saved')
    return sourcesIn(bodyOf(server, 'PUT /v1/stream/gate'))
  }

  test('keeps hidden credentials of both addresses, and replaces them by typed ones', async ({ server, visit }) => {
    const stream = { ...gate, substreamSource: 'rtsp://***@10.0.0.4:554/small' }
    server.answer(own, { json: stream })
    server.answer('PUT /v1/stream/gate', { json: stream })
    await visit('/ui/stream/gate/setting')
    await holds('Substream', 'rtsp://***@10.0.0.4:554/small')
    await fill('Name', 'North gate')
    expect(await save(server)).toEqual({
      streamSource: 'rtsp://***@10.0.0.4:554/gate',
      substreamSource: 'rtsp://***@10.0.0.4:554/small',
    })
    await fill('Login', 'ann')
    await press('button', 'Save')
    await until(() => expect(server.count('PUT /v1/stream/gate')).toBe(2))
    expect(sourcesIn(bodyOf(server, 'PUT /v1/stream/gate'))).toEqual({
      streamSource: 'rtsp://ann@10.0.0.4:554/gate',
      substreamSource: 'rtsp://ann@10.0.0.4:554/small',
    })
  })

  test('shows credentials apart, takes a substream away, and names none to a server without', async ({
    server,
    visit,
  }) => {
    const stream = {
      ...gate,
      streamSource: 'rtsp://ann:x@10.0.0.4/gate',
      substreamSource: 'rtsp://ann:x@10.0.0.4/small',
    }
    server.answer(own, { json: stream })
    server.answer('PUT /v1/stream/gate', { json: { ...stream, substreamSource: '' } })
    await visit('/ui/stream/gate/setting')
    await holds('Stream source', 'rtsp://10.0.0.4/gate')
    await holds('Substream', 'rtsp://10.0.0.4/small')
    await holds('Login', 'ann')
    await fill('Substream', '')
    expect(await save(server)).toEqual({ streamSource: 'rtsp://ann:x@10.0.0.4/gate', substreamSource: '' })
    await fill('Name', 'North gate')
    await press('button', 'Save')
    await until(() => expect(server.count('PUT /v1/stream/gate')).toBe(2))
    expect(sourcesIn(bodyOf(server, 'PUT /v1/stream/gate'))).toEqual({ streamSource: 'rtsp://ann:x@10.0.0.4/gate' })
  })

  test('an ONVIF address has a field where the server turns cameras', async ({ server, visit }) => {
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['ptz'] } })
    server.answer(own, { json: { ...gate, onvif: { url: 'http://10.0.0.4/onvif', profile: 'a' } } })
    server.answer('PUT /v1/stream/gate', {
      status: 400,
      json: { code: 'ValidationError', details: { 'onvif.url': 'Not an address' } },
    })
    await visit('/ui/stream/gate/setting')
    await holds('ONVIF address', 'http://10.0.0.4/onvif')
    await fill('ONVIF address', 'a b')
    await press('button', 'Save')
    await screen.findByText("This isn't an address.")
    expect(bodyOf(server, 'PUT /v1/stream/gate')).toMatchObject({ onvif: { url: 'a b', profile: 'a' } })
  })

  test('what the server finds wrong with the substream lands beside it', async ({ server, visit }) => {
    server.answer(own, { json: gate })
    server.answer('PUT /v1/stream/gate', {
      status: 400,
      json: { code: 'ValidationError', details: { substreamSource: 'The address has no host' } },
    })
    await visit('/ui/stream/gate/setting')
    await fill('Substream', 'rtsp:///2')
    await press('button', 'Save')
    await until(async () => expect((await field('Substream')).getAttribute('aria-invalid')).toBe('true'))
    await screen.findByText('The address has no host.')
    await holds('Substream', 'rtsp:///2')
  })
})
