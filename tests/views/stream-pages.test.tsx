// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { beforeEach, describe } from 'vitest'
import { type FakeServer, gate, notFound, reader, settings } from '../fixtures/fake-server.ts'
import {
  at,
  bodyOf,
  descriptionOf,
  enabled,
  expect,
  field,
  fill,
  focused,
  holds,
  part,
  press,
  test,
  titled,
  toast,
  until,
} from './console.tsx'

const own = 'GET /v1/stream/gate'

beforeEach<{ server: FakeServer }>(({ server }) => server.answer(own, { json: gate }))

describe('stream info', () => {
  test('shows why it failed in words, with the code of another server as it is', async ({ server, visit }) => {
    server.answer(own, { json: { ...gate, status: 'failed', failureReason: 'EHOSTUNREACH' } })
    await visit('/ui/stream/gate/info')
    await screen.findByText(/Nothing answers at this address/)
    server.answer(own, { json: { ...gate, status: 'failed', failureReason: 'Lens cap is on' } })
    await screen.findByText(/Lens cap is on/)
  })

  test('shows a substream that fails, and how many days of archive there will be', async ({ server, visit }) => {
    const archive = { isEnable: true, depthHours: 720, daysAhead: 11.7 }
    server.answer(own, { json: { ...gate, archive, status: 'running', failureReason: 'Substream: EHOSTUNREACH' } })
    await visit('/ui/stream/gate/info')
    await screen.findByText(/^Substream: Nothing answers at this address/)
    await screen.findByText('about 12 days')
  })

  test('pauses and resumes, and applies the status that comes back', async ({ server, visit }) => {
    let status = 'running'
    server.answer(own, () => ({ json: { ...gate, status } }))
    server.answer('POST /v1/stream/pause/gate', () => ({ json: { status: (status = 'paused') } }))
    server.answer('POST /v1/stream/resume/gate', () => ({ json: { status: (status = 'pending') } }))
    await visit('/ui/stream/gate/info')
    await press('button', 'Pause')
    const dialog = await part('alertdialog', 'Pause “Gate”?')
    expect(dialog.getByText(/^Recording and live video stop/)).toBeTruthy()
    expect(server.count('POST /v1/stream/pause/gate')).toBe(0)
    await press('button', 'Pause', dialog)
    await screen.findAllByText('Paused')
    await press('button', 'Resume')
    await screen.findAllByText('Starting')
  })

  test('a link is given an end and a password, where the server has them', async ({ server, visit }) => {
    const share = { url: '/ui/stream/gate/view#token=t', token: 't' }
    server.answer('GET /v1/stream/gate/share', { json: share })
    server.answer('PUT /v1/stream/gate/share', {
      json: { ...share, expireTime: '2026-12-24T18:00:00.000Z', password: '***' },
    })
    await visit('/ui/stream/gate/info')
    await press('button', 'Share')
    await field('Link')
    expect(screen.queryByLabelText('Password of the link')).toBeNull()
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['share-options'] } })
    await visit('/ui/stream/gate/info')
    await press('button', 'Share')
    const panel = await part('region', 'Share')
    await fill('Password of the link', 'gate code 7')
    await press('button', 'Save', panel)
    await holds('Expires', 'kept')
    await holds('Password of the link', '***')
    expect(bodyOf(server, 'PUT /v1/stream/gate/share')).toEqual({ expireTime: null, password: 'gate code 7' })
  })

  test('a link is limited to the range between the marks, and says what it shows', async ({ server, visit }) => {
    const share = { url: '/ui/stream/gate/view#token=t', token: 't' }
    const range = { startTime: '2026-11-21T10:00:00.000Z', endTime: '2026-11-21T10:05:00.000Z' }
    const features = ['share-options', 'share-range']
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features } })
    server.answer('PUT /v1/stream/gate/share', { json: { ...share, ...range, live: false } })
    await visit(`/ui/stream/gate/info?in=${range.startTime}&out=${range.endTime}`)
    await press('button', 'Share')
    expect(bodyOf(server, 'PUT /v1/stream/gate/share')).toEqual({ ...range, live: false })
    const panel = await part('region', 'Share')
    await panel.findByText(/^Anyone with the link can watch the archive from .* Live video is not shared\.$/)
    await fill('To', 'noon')
    await press('button', 'Save', panel)
    await panel.findByText('Enter a time like 2026-11-21 14:05:03')
    server.answer('PUT /v1/stream/gate/share', {
      status: 400,
      json: { code: 'ValidationError', details: { endTime: 'Must be after the start' } },
    })
    await fill('To', '2026-11-21 10:05:00')
    await press('checkbox', 'Live video, too', panel)
    await press('button', 'Save', panel)
    await panel.findByText('The end must be after the start')
    server.answer('PUT /v1/stream/gate/share', { json: { ...share, ...range, live: true } })
    await press('button', 'Save', panel)
    await panel.findByText(/^Anyone with the link can watch this stream live, and its archive from/)
    expect(bodyOf(server, 'PUT /v1/stream/gate/share')).toMatchObject({ live: true })
  })

  test('says what range a link shows before the link is', async ({ server, visit }) => {
    const sharedRange = { startTime: '2026-11-21T10:00:00.000Z', endTime: '2026-11-21T10:05:00.000Z', live: false }
    server.answer(own, { json: { ...gate, meta: { ...gate.meta, isShared: true }, sharedRange } })
    await visit('/ui/stream/gate/info')
    const panel = await part('region', 'Share')
    panel.getByRole('button', { name: 'Show the link' })
    panel.getByText(/^Anyone with the link can watch the archive from Nov 21, 2026.* Live video is not shared\.$/)
    server.answer(own, { json: { ...gate, meta: { ...gate.meta, isShared: true } } })
    await visit('/ui/stream/gate/info')
    expect((await part('region', 'Share')).queryByText(/archive from/)).toBeNull()
  })

  test('a stream that is not there leads to not found', async ({ server, visit }) => {
    server.answer(own, notFound)
    await visit('/ui/stream/gate/info')
    await titled('Page not found')
  })

  test('who may only watch has no actions, and no calls for the archive are made', async ({ server, visit }) => {
    server.answer('GET /v1/user', { json: reader })
    server.answer(own, { json: { ...gate, meta: { canAdmin: false, canViewArchive: false } } })
    await visit('/ui/stream/gate/info')
    await screen.findByText("You have no access to this stream's archive.")
    for (const name of ['Pause', 'Delete', 'Share', 'Probe'])
      expect(screen.queryByRole('button', { name: new RegExp(name, 'i') })).toBeNull()
    expect(server.count('GET /v1/stream/gate/archive/stats')).toBe(0)
    const tabs = await part('navigation', 'Toolbar')
    for (const name of ['Settings', 'Permissions', 'Debug'])
      expect(tabs.getByRole('link', { name }).getAttribute('aria-disabled')).toBe('true')
  })

  test('probes the camera when asked', async ({ server, visit }) => {
    server.answer('GET /v1/stream/probe', {
      json: {
        format: 'rtsp',
        tracks: [
          { type: 'video', codec: 'hevc', width: 3840, height: 2160, fps: 25, bitrate: 6_000_000 },
          { type: 'audio', codec: 'pcm_alaw', sampleRate: 8000 },
        ],
      },
    })
    await visit('/ui/stream/gate/info')
    await press('button', 'Probe')
    await screen.findByText('H.265, 3840×2160, 25 fps, 6 Mbit/s')
    await screen.findByText('G.711 A-law, 8 kHz')
    expect(server.calls.find((call) => call.includes('/probe'))).toBe('GET /v1/stream/probe?stream_id=gate')
  })
})

describe('stream settings', () => {
  test('shows what comes back from a save at once, while no poll answers', async ({ server, visit }) => {
    server.answer('PUT /v1/stream/gate', {
      json: { ...gate, name: 'North gate', streamSource: 'rtsp://***@10.0.0.9/one', viewers: undefined },
    })
    await visit('/ui/stream/gate/setting')
    await fill('Name', '  north gate ')
    server.answer(own, () => new Promise(() => undefined))
    await press('button', 'Save')
    await (await part('banner')).findByRole('link', { name: 'North gate' })
    await holds('Name', 'North gate')
    await until(() => expect(screen.queryByText('Not saved yet')).toBeNull())
    await fill('Name', 'South gate')
    await press('button', 'Save')
    await until(() => expect(server.count('PUT /v1/stream/gate')).toBe(2))
  })

  test('a server that answers a save with nothing has saved it', async ({ server, visit }) => {
    server.answer('PUT /v1/stream/gate', { status: 204 })
    await visit('/ui/stream/gate/setting')
    await fill('Name', 'North gate')
    await press('button', 'Save')
    await toast('Stream settings has been saved')
    await holds('Name', 'North gate')
    await until(() => expect(screen.queryByText('Not saved yet')).toBeNull())
    server.answer('GET /v1/stream/gate/permissions', { json: { permissions: [{ login: 'rob', canView: true }] } })
    server.answer('POST /v1/stream/gate/permissions', { status: 204 })
    await visit('/ui/stream/gate/permission')
    await press('checkbox', 'Archive: rob')
    await press('button', 'Save')
    await until(() => expect(server.count('POST /v1/stream/gate/permissions')).toBe(1))
    await until(() => expect(screen.queryByText('Not saved yet')).toBeNull())
    await screen.findByRole('checkbox', { name: 'Archive: rob', checked: true })
  })

  test('what the server finds wrong lands beside its field, and nothing typed is lost', async ({ server, visit }) => {
    server.answer('PUT /v1/stream/gate', {
      status: 400,
      json: {
        code: 'ValidationError',
        details: { 'archive.depthHours': 'At most 72 hours', 'location.name': 'Too vague' },
      },
    })
    await visit('/ui/stream/gate/setting')
    await fill('Archive depth, hours', '100')
    await press('button', 'Save')
    await screen.findByText('At most 72 hours')
    await screen.findByText('Too vague')
    await holds('Archive depth, hours', '100')
    await focused(await field('Location'))
    server.answer('PUT /v1/stream/gate', { status: 400, json: { code: 'ProbeError' } })
    await press('button', 'Save')
    await until(async () => expect((await field('Stream source')).getAttribute('aria-invalid')).toBe('true'))
  })

  test('holds the depth to what the server keeps, and hidden credentials to their camera', async ({
    server,
    visit,
  }) => {
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, archiveMaxDepthHours: 72 } })
    await visit('/ui/stream/gate/setting')
    await fill('Archive depth, hours', '100')
    await fill('Stream source', 'rtsp://***@10.0.0.9/gate')
    await press('button', 'Save')
    await screen.findByText(/This is more than the server keeps/)
    await screen.findByText(/Enter login and password again/)
    expect(server.count('PUT /v1/stream/gate')).toBe(0)
  })

  test('says in grouped digits what the server keeps', async ({ server, visit }) => {
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, archiveMaxDepthHours: 8760 } })
    await visit('/ui/stream/gate/setting')
    await screen.findByText('The server keeps at most 8,760 hours.')
  })

  test('offers the nodes in a cluster', async ({ server, visit }) => {
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, clusterEnabled: true, nodeId: 'a' } })
    server.answer('GET /v1/system/internal/ui/nodes', {
      json: {
        items: [
          { id: 'a', name: 'Attic', available: true },
          { id: 'b', name: 'Barn', available: false },
        ],
      },
    })
    server.answer('PUT /v1/stream/gate', { json: gate })
    await visit('/ui/stream/gate/setting')
    await screen.findByRole('option', { name: 'Barn, not available' })
    await fill('Node', 'b')
    await press('button', 'Save')
    await toast('Stream settings has been saved')
    expect(server.bodies.at(-1)).toMatchObject({ body: { node: { id: 'b' } } })
  })
})

describe('the maximum size of an archive', () => {
  const size = 'Maximum size, GB'
  const save = 'PUT /v1/stream/gate'

  const announce = (server: FakeServer) =>
    server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['archive-quota'] } })

  test('is set in GB, and shown', async ({ server, visit }) => {
    announce(server)
    server.answer(save, () => {
      const json = { ...gate, archive: { ...gate.archive, quotaBytes: 50e9 } }
      server.answer(own, { json })
      return { json }
    })
    await visit('/ui/stream/gate/setting')
    await fill(size, '50')
    await press('button', 'Save')
    await toast('Stream settings has been saved')
    expect(bodyOf(server, save)).toMatchObject({ archive: { isEnable: true, depthHours: 24, quotaBytes: 50e9 } })
    await press('link', 'Info', await part('navigation', 'Toolbar'))
    const archive = await part('region', 'Archive')
    await archive.findByText('Maximum size')
    archive.getByText('50 GB')
  })

  test('a wrong size is explained beside its field, and nothing is sent or lost', async ({ server, visit }) => {
    announce(server)
    await visit('/ui/stream/gate/setting')
    await fill('Name', 'North gate')
    for (const [typed, error] of [
      ['-3', /Enter a number of GB above 0, or leave empty for no limit$/],
      ['50000000000', /This is too much: enter GB, not bytes$/],
    ] as const) {
      await fill(size, typed)
      await press('button', 'Save')
      await until(async () => expect(descriptionOf(await field(size))).toMatch(error))
      await holds(size, typed)
    }
    await holds('Name', 'North gate')
    expect(server.count(save)).toBe(0)
  })

  test('without the feature none is sent, and only a stream that has one has the field', async ({ server, visit }) => {
    server.answer(save, { status: 204 })
    await visit('/ui/stream/gate/setting')
    await fill('Name', 'North gate')
    expect(screen.queryByLabelText(size)).toBeNull()
    await press('button', 'Save')
    await toast('Stream settings has been saved')
    expect(bodyOf(server, save)).toHaveProperty('archive', { isEnable: true, depthHours: 24 })
    server.answer(own, { json: { ...gate, archive: { ...gate.archive, quotaBytes: 12.5e9 } } })
    await visit('/ui/stream/gate/setting')
    await holds(size, '12.5')
    await fill(size, '')
    await press('button', 'Save')
    await until(() => expect(bodyOf(server, save)).toMatchObject({ archive: { quotaBytes: -1 } }))
  })

  test('is set for a new stream, too', async ({ server, visit }) => {
    announce(server)
    server.answer('POST /v1/stream', { json: { uid: 'gate' } })
    await visit('/ui/add-stream')
    await fill('Stream source', 'rtsp://cam.example/gate')
    await fill('Name', 'Gate')
    await fill(size, '0.5')
    await press('button', 'Add stream')
    await until(() => expect(bodyOf(server, 'POST /v1/stream')).toMatchObject({ archive: { quotaBytes: 5e8 } }))
  })
})

describe('add a stream', () => {
  const form = async () => {
    await fill('Stream source', 'rtsp://cam.example/gate')
    await fill('Name', 'Gate')
  }

  test('explains why a source does not play, beside it', async ({ server, visit }) => {
    server.answer('GET /v1/stream/probe', {
      status: 400,
      json: { code: 'ProbeError', details: { reason: 'HTTP_UNAUTHORIZED' } },
    })
    server.answer('POST /v1/stream', { status: 400, json: { code: 'ProbeError' } })
    await visit('/ui/add-stream')
    await form()
    await press('button', 'Probe')
    await screen.findByText("The camera doesn't accept this login and password.")
    await press('button', 'Add stream')
    await until(async () => expect((await field('Stream source')).getAttribute('aria-invalid')).toBe('true'))
    await screen.findByText(/found no readable video there/)
  })

  test('can be taken back while the server opens the source', async ({ server, visit }) => {
    server.answer('POST /v1/stream', () => new Promise(() => undefined))
    await visit('/ui/add-stream')
    await form()
    await press('button', 'Add stream')
    await screen.findByText(/up to 35 seconds/)
    await press('button', 'Cancel')
    await enabled(await screen.findByRole('button', { name: 'Add stream' }))
    await holds('Name', 'Gate')
  })

  test('says what is missing without asking the server', async ({ server, visit }) => {
    await visit('/ui/add-stream')
    await press('button', 'Add stream')
    await until(() => expect(screen.getAllByText('Fill this in')).toHaveLength(2))
    await focused(await field('Stream source'))
    expect(server.count('POST /v1/stream')).toBe(0)
  })

  test('the quota is reported and the form kept', async ({ server, visit }) => {
    server.answer('POST /v1/stream', { status: 403, json: { code: 'QuotaReached' } })
    await visit('/ui/add-stream')
    await form()
    await press('button', 'Add stream')
    await toast(/Quota is reached/)
    await screen.findByText(/you can't add more streams/)
    await holds('Name', 'Gate')
  })

  test('asks before what was typed is left behind', async ({ visit }) => {
    await visit('/ui/add-stream')
    await form()
    await press('link', 'All streams', await part('navigation', 'Toolbar'))
    await press('button', 'Cancel', await part('alertdialog'))
    await at('/ui/add-stream')
  })
})

test('what the server finds wrong with something that has no field is shown all the same', async ({
  server,
  visit,
}) => {
  const wrong = (details: object) => ({ status: 400, json: { code: 'ValidationError', details } })
  server.answer('POST /v1/mosaic', wrong({ 'cells.0.streamUid': 'Unknown stream', 'cells.1': 'Off the wall' }))
  server.answer('GET /v1/streams', { json: { items: [gate], page: 1, pageSize: 50, total: 1 } })
  await visit('/ui/create-mosaic')
  await fill('Name', 'Wall')
  await press('button', 'Save')
  await screen.findByText(/; Off the wall$/)
  await fill('Name', 'Yard')
  server.answer('POST /v1/mosaic', wrong({ name: 'Taken already' }))
  await press('button', 'Save')
  await until(async () => expect((await field('Name')).getAttribute('aria-invalid')).toBe('true'))
  expect(screen.queryByText(/Off the wall/)).toBeNull()

  server.answer('GET /v1/user/bob', { json: { name: 'bob' } })
  server.answer('GET /v1/user/bob/permissions', { json: { permissions: [] } })
  server.answer('POST /v1/user/bob/permissions', wrong({ 'permissions.0.uid': 'Gone in the meantime' }))
  await visit('/ui/user/bob/permission')
  await press('checkbox', 'Gate: Live')
  await press('button', 'Save')
  await screen.findByText('Gone in the meantime')
})

test('a mosaic that is answered with ValidationError is not found, watched or edited; a stream so answered is asked for again', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/mosaic/odd', { status: 400, json: { code: 'ValidationError', details: { id: 'Not an id' } } })
  server.answer('GET /v1/mosaic/unknown', notFound)
  for (const path of ['/mosaic/odd', '/mosaic/odd/edit', '/mosaic/unknown', '/mosaic/unknown/edit']) {
    await visit(`/ui${path}`)
    await screen.findByRole('heading', { name: 'Page not found' })
  }
  server.answer('GET /v1/stream/odd', { status: 400, json: { code: 'ValidationError', details: { uid: 'Not an id' } } })
  await visit('/ui/stream/odd/info')
  await toast(/Validation error/)
  server.answer('GET /v1/stream/odd', { json: { ...gate, uid: 'odd' } })
  server.answer('GET /v1/stream/odd/archive/stats', { json: {} })
  await screen.findByRole('heading', { name: 'Stream info' })
})
