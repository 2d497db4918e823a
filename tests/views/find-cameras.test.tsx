// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { beforeEach, describe } from 'vitest'
import { type FakeServer, settings } from '../fixtures/fake-server.ts'
import { doorCamera, foundCameras, gateCamera, wrongLogin } from '../fixtures/found-cameras.ts'
import { bodyOf, expect, fill, holds, isDisabled, part, press, test, until } from './console.tsx'

const search = 'POST /v1/onvif/discover'
const ask = 'POST /v1/onvif/camera'
const rows = async () => (await part('table', 'Cameras')).getAllByRole('row').slice(1)

describe('finding cameras', () => {
  beforeEach<{ server: FakeServer }>(({ server }) => {
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['onvif'] } })
    server.answer(search, { json: { items: foundCameras } })
    server.answer('GET /v1/stream/preview', { status: 204 })
    server.answer(ask, (request) => {
      const { address, password } = request.postDataJSON()
      if (password !== 'p@ss') return wrongLogin
      return { json: address === foundCameras[0]?.address ? gateCamera : doorCamera }
    })
  })

  const open = async () => {
    await press('button', 'Find cameras')
    await until(async () => expect(await rows()).toHaveLength(2))
  }

  test('is offered only where the server has it', async ({ server, visit }) => {
    server.answer('GET /v1/system/internal/ui/settings', { json: settings })
    await visit('/ui/add-stream')
    await screen.findByRole('button', { name: 'Several at once' })
    expect(screen.queryByRole('button', { name: 'Find cameras' })).toBeNull()
  })

  test('shows each with its address, and which streams it has already', async ({ server, visit }) => {
    await visit('/ui/add-stream')
    await open()
    const [gate, door] = await rows()
    expect(gate?.textContent).toContain('North gate')
    expect(gate?.textContent).toContain('10.0.0.5')
    expect(
      within(door ?? document.body)
        .getByRole('link', { name: 'Gate' })
        .getAttribute('href'),
    ).toBe('/ui/stream/gate/view')
    expect(isDisabled(await screen.findByRole('button', { name: 'Connect' }))).toBe(true)
    await press('button', 'Search again')
    await until(() => expect(server.count(search)).toBe(2))
  })

  test('one fills the form, with login, password and both streams', async ({ server, visit }) => {
    await visit('/ui/add-stream')
    await open()
    await press('checkbox', 'North gate')
    await fill('Login', 'ann')
    await fill('Password', 'wrong')
    await press('button', 'Connect to 1 camera')
    await screen.findByText("The camera doesn't accept this login and password.")
    await fill('Password', 'p@ss')
    await press('button', 'Connect to 1 camera')
    await screen.findByText('Main stream: H.265, 2560×1440')
    await screen.findByText('Substream: H.264, 640×360')
    expect(bodyOf(server, ask)).toEqual({ address: foundCameras[0]?.address, login: 'ann', password: 'p@ss' })
    expect(server.count(ask)).toBe(2)
    await press('button', 'Continue with 1 camera')
    await holds('Stream source', 'rtsp://10.0.0.5/1')
    await holds('Substream', 'rtsp://10.0.0.5/2')
    await holds('Login', 'ann')
    await holds('Password', 'p@ss')
    await holds('Name', 'North gate')
    await holds('Location', 'Yard')
  })

  test('several become a list that shows no password, and are added with it', async ({ server, visit }) => {
    server.answer('POST /v1/stream', { json: { uid: 'new' } })
    await visit('/ui/add-stream')
    await open()
    await press('checkbox', 'Select all')
    await fill('Login', 'ann')
    await fill('Password', 'p@ss')
    await press('button', 'Connect to 2 cameras')
    await press('button', 'Continue with 2 cameras')
    await holds(
      'List of streams',
      [
        'name,streamSource,substreamSource,location,onvif,profile',
        'North gate,rtsp://10.0.0.5/1,rtsp://10.0.0.5/2,Yard,http://10.0.0.5/onvif/device_service,a',
        'Acme Bullet 2,rtsp://10.0.0.6/1,,,http://10.0.0.6/onvif/device_service,',
      ].join('\n'),
    )
    expect(document.body.textContent).not.toContain('p@ss')
    await press('button', 'Add 2 streams')
    await screen.findByText('2 streams are added.')
    expect(server.bodies.filter(({ call }) => call === 'POST /v1/stream').map(({ body }) => body)).toMatchObject([
      { streamSource: 'rtsp://ann:p%40ss@10.0.0.5/1', substreamSource: 'rtsp://ann:p%40ss@10.0.0.5/2' },
      { streamSource: 'rtsp://ann:p%40ss@10.0.0.6/1' },
    ])
  })

  test('takes the address of another camera where none is found', async ({ server, visit }) => {
    server.answer(search, { json: { items: [] } })
    await visit('/ui/add-stream')
    await press('button', 'Find cameras')
    await screen.findByRole('heading', { name: 'No cameras found' })
    await fill('Address of another camera', '10.0.0.9')
    await press('button', 'Add to the list')
    await press('button', 'Connect to 1 camera')
    await until(() => expect(bodyOf(server, ask)).toEqual({ address: '10.0.0.9', login: '', password: '' }))
  })

  test('says why a search failed', async ({ server, visit }) => {
    server.answer(search, { status: 429, json: { code: 'TooManyRequests' }, headers: { 'retry-after': '9' } })
    await visit('/ui/add-stream')
    await press('button', 'Find cameras')
    await within(await screen.findByRole('alert')).findByText(/Too many/)
  })
})
