import { describe, expect, test, vi } from 'vitest'
import { CameraFailure } from '../../../server/onvif/client.ts'
import { createPtzControl } from '../../../server/onvif/ptz-control.ts'
import { ptzServiceOf } from '../../../server/onvif/ptz-service.ts'
import { createOnvifControl } from '../../fixtures/onvif-control.ts'
import { patience } from '../../fixtures/patience.ts'
import { startControlled } from './controlled-camera.ts'
import { createGuard } from '../fixtures/guard.ts'

const right = { move: { pan: 0.5, tilt: 0, zoom: 0 } }

test('a stream announces what its camera can do, to whoever administers it', async () => {
  const { abilities, stream, addUser, signIn, ask, admin } = await startControlled()
  expect(await abilities()).toEqual({ move: true, zoom: true, presets: true, home: true })
  await addUser('eve', false)
  await ask('POST', '/v1/stream/c1/permissions', {
    cookie: admin,
    body: { permissions: [{ login: 'eve', canView: true, canViewArchive: true, canAdmin: false }] },
  })
  expect((await stream(await signIn('eve'))).ptz).toBeUndefined()
})

test('a camera that only zooms says so', async () => {
  const { abilities } = await startControlled({ control: createOnvifControl({ hasPanTilt: false, maxPresets: 0 }) })
  expect(await abilities()).toEqual({ move: false, zoom: true, presets: false, home: true })
})

test('a move stops by itself unless it is repeated, and at once if told to', async () => {
  const { ptz, control } = await startControlled()
  expect((await ptz(right)).status).toBe(200)
  await control.until(({ commands }) => commands.includes('stop'))
  await ptz({ move: { zoom: -1 } })
  await ptz({ stop: true })
  expect(control.commands.slice(0, 4)).toEqual(['move 0.5 0 0', 'stop', 'move 0 0 -1', 'stop'])
})

test('a camera that accepts no timeout moves without one', async () => {
  const { ptz, control } = await startControlled({ control: createOnvifControl({ refusesTimeout: true }) })
  await ptz(right)
  await ptz({ stop: true })
  expect(control.commands.slice(0, 2)).toEqual(['move 0.5 0 0', 'stop'])
})

test('a camera that refuses a move for another reason is given the timeout again', async () => {
  const requests: string[] = []
  const empty = { name: 'x', namespace: '', text: '', attributes: new Map<string, string>(), children: [] }
  let faults = 2
  const service = await ptzServiceOf(
    async (_url, request) => {
      if (!request.startsWith('<ContinuousMove')) return empty
      requests.push(request)
      faults -= 1
      if (faults >= 0) throw new CameraFailure('The camera answered with a fault')
      return empty
    },
    new URL('http://192.0.2.1/ptz'),
    { token: 'p', name: 'P', ptzNode: 'n', sources: [] },
  )
  const move = () => service.perform({ kind: 'move', velocity: { pan: 1, tilt: 0, zoom: 0 } })
  await expect(move()).rejects.toThrow('The camera answered with a fault')
  await move()
  expect(requests.map((request) => request.includes('<Timeout>'))).toEqual([true, false, true])
})

test('a moving camera is stopped when the server stops', async () => {
  const { ptz, control, app } = await startControlled()
  await ptz(right)
  await app.close()
  expect(control.commands.slice(0, 2)).toEqual(['move 0.5 0 0', 'stop'])
})

/** A control whose commands of a kind end once `held` is resolved. */
const controlHeldAt = (heldKind: string) => {
  const held = Promise.withResolvers<void>()
  const performed: string[] = []
  const control = createPtzControl(async ({ kind }) => {
    performed.push(kind)
    if (kind === heldKind) await held.promise
  })
  return { control, performed, held }
}

test('one command is under way, and of those that wait the newest is performed', async () => {
  const { control, performed, held } = controlHeldAt('move')
  const move = { kind: 'move', velocity: right.move } as const
  const first = control.send(move)
  const others = [{ kind: 'preset', token: '1' } as const, { kind: 'home' } as const].map(control.send)
  await others[0]
  held.resolve()
  await Promise.all([first, ...others])
  expect(performed).toEqual(['move', 'home'])
})

test('a move that begins again while the camera is told to stop is performed', async () => {
  const { control, performed, held } = controlHeldAt('stop')
  const move = { kind: 'move', velocity: right.move } as const
  await control.send(move)
  const stopped = control.send({ kind: 'stop' })
  const again = control.send(move)
  held.resolve()
  await Promise.all([stopped, again])
  await control.close()
  expect(performed.slice(0, 3)).toEqual(['move', 'stop', 'move'])
})

test('presets are listed, gone to, saved and deleted', async () => {
  const { ptz, presets, ask, admin, control } = await startControlled()
  expect((await presets()).body).toEqual({ items: [{ token: '1', name: 'Gate' }] })
  const saved = await ask('POST', '/v1/stream/c1/ptz/presets', { cookie: admin, body: { name: ' <Yard & "door"> ' } })
  expect(saved.body).toEqual({ token: '2', name: '<Yard & "door">' })
  expect((await ptz({ preset: '2' })).status).toBe(200)
  expect((await ask('DELETE', '/v1/stream/c1/ptz/presets/1', { cookie: admin })).status).toBe(200)
  expect([control.commands, [...control.presets.keys()]]).toEqual([['preset 2'], ['2']])
  const missing = await ptz({ preset: 'none' })
  expect([missing.status, missing.body]).toMatchObject([
    400,
    { code: 'ProbeError', message: 'The camera answered with a fault' },
  ])
})

test('bodies are checked', async () => {
  const { ptz, ask, admin } = await startControlled()
  const wrong = [{}, { move: { pan: 2 } }, { stop: false }, { preset: '' }, { preset: 'x'.repeat(201) }]
  for (const body of wrong) expect([body, (await ptz(body)).status]).toEqual([body, 400])
  const nameless = await ask('POST', '/v1/stream/c1/ptz/presets', { cookie: admin, body: { name: '  ' } })
  expect(nameless.status).toBe(400)
})

test('a stream without PTZ refuses', async () => {
  const { ask, admin, site } = await startControlled()
  await site.change('c1', (before) => ({ ...before, onvif: null }))
  const answer = await ask('POST', '/v1/stream/c1/ptz', { cookie: admin, body: { stop: true } })
  expect([answer.status, Object(answer.body).code]).toEqual([409, 'ActionNotAcceptable'])
})

test('who may not administer the stream neither moves its camera nor sees its presets', async () => {
  const { ptz, presets, addUser, signIn, ask, admin, control } = await startControlled()
  await addUser('eve', false)
  await addUser('mallory', false)
  await ask('POST', '/v1/stream/c1/permissions', {
    cookie: admin,
    body: { permissions: [{ login: 'eve', canView: true, canViewArchive: true, canAdmin: false }] },
  })
  const [eve, mallory] = [await signIn('eve'), await signIn('mallory')]
  const statuses = [await ptz(right, eve), await presets(eve), await ptz(right, mallory), await presets(mallory)]
  expect([statuses.map(({ status }) => status), control.commands]).toEqual([[403, 403, 404, 404], []])
})

test('the audit log has one entry for a stretch of moving', async () => {
  const { ptz, ask, admin } = await startControlled()
  for (let count = 0; count < 5; count += 1) await ptz({ move: { pan: count / 10 + 0.1 } })
  await ptz({ stop: true })
  await ptz({ preset: '1' })
  await ask('POST', '/v1/stream/c1/ptz/presets', { cookie: admin, body: { name: 'Yard' } })
  const { body } = await ask('GET', '/v1/admin/audit-logs', { cookie: admin })
  const actions = Object(body).items.map((entry: { action: string; target: string }) => [entry.action, entry.target])
  expect(actions.filter(([action]: [string]) => action.startsWith('camera.'))).toEqual([
    ['camera.save-preset', 'c1'],
    ['camera.go-to-preset', 'c1'],
    ['camera.turn', 'c1'],
  ])
})

describe('the login', () => {
  const [username, password] = ['ann', 'p&<"w0rd/#']
  const withLogin = (address: string, given = password) =>
    address.replace('://', `://${username}:${encodeURIComponent(given)}@`)
  const source = `rtsp://${username}:${encodeURIComponent(password)}@127.0.0.1:554/main`

  test.each([
    ['the digest of WS-Security', {}],
    ['HTTP Digest', { guard: createGuard({ username, password, kind: 'MD5', qop: 'auth', uses: 3 }) }],
  ])('in the address works by %s', async (_name, options) => {
    const { ptz, control, camera } = await startControlled({ login: username, password, url: withLogin, ...options })
    expect((await ptz({ home: true })).status).toBe(200)
    expect(control.commands).toEqual(['home'])
    expect(camera.received.join('')).not.toContain('w0rd')
  })

  test('is that of the source at the same host', async () => {
    const { ptz, site, control } = await startControlled({ login: username, password })
    await site.change('c1', (before) => ({ ...before, source }))
    expect((await ptz({ home: true })).status).toBe(200)
    expect(control.commands).toEqual(['home'])
  })

  test('that is wrong is sent once, and the camera is left alone for a while', async () => {
    const { ptz, camera, logged } = await startControlled({
      login: username,
      password,
      url: (address) => withLogin(address, 'wrong'),
    })
    expect(await logged(/^ONVIF/)).toBe('ONVIF: HTTP_UNAUTHORIZED')
    const answers = [await ptz(right), await ptz(right)]
    expect(answers.map(({ body }) => Object(body).message)).toEqual(['HTTP_UNAUTHORIZED', 'HTTP_UNAUTHORIZED'])
    expect(camera.asked.filter(([, outcome]) => outcome === 'refused')).toHaveLength(1)
  })

  test('is masked as in the source, and kept when the mask comes back', async () => {
    const { stream, addUser, signIn, ask, admin, camera, site } = await startControlled({
      login: username,
      password,
      url: withLogin,
    })
    const full = withLogin(camera.address)
    expect((await stream()).onvif).toEqual({ url: full, profile: '' })
    await addUser('eve', false)
    await ask('POST', '/v1/stream/c1/permissions', {
      cookie: admin,
      body: { permissions: [{ login: 'eve', canView: true, canViewArchive: false, canAdmin: false }] },
    })
    const masked = camera.address.replace('://', '://***@')
    expect((await stream(await signIn('eve'))).onvif).toEqual({ url: masked, profile: '' })
    const put = (onvif: object | undefined) =>
      ask('PUT', '/v1/stream/c1', { cookie: admin, body: { name: 'Gate', streamSource: 'demo:gate', onvif } })
    expect((await put({ url: masked, profile: 'P2' })).status).toBe(200)
    expect(site.store.find('c1')?.onvif).toEqual({ url: full, profile: 'P2' })
    await put(undefined)
    expect(site.store.find('c1')?.onvif).toEqual({ url: full, profile: 'P2' })
    expect((await put({ url: 'http://***@198.51.100.1/onvif' })).body).toMatchObject({
      code: 'ValidationError',
      details: { 'onvif.url': 'Enter the login and password again' },
    })
    for (const url of ['ftp://camera/', 'http://', 'a b', 'rtsp://camera/'])
      expect([url, (await put({ url })).body]).toMatchObject([url, { code: 'ValidationError' }])
    expect((await put({ url: 'http://169.254.169.254/' })).body).toMatchObject({
      details: { 'onvif.url': 'This address is not allowed as a source' },
    })
    await put({ url: '' })
    expect(site.store.find('c1')?.onvif).toBeNull()
  })
})

describe('a hostile camera', () => {
  const laughs = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`)
  const envelope = (content: string) => `<e:Envelope xmlns:e="e"><e:Body>${content}</e:Body></e:Envelope>`
  const spaces = Array.from({ length: 5000 }, (_, index) => `xmlns:n${index}="u"`).join(' ')
  test.each([
    ['an entity bomb', `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join('')}]><x>&l9;</x>`],
    ['too much', envelope(`<a>${'x'.repeat(600_000)}</a>`)],
    ['thousands of namespaces', envelope(`<a ${spaces}>${'<b xmlns:m="u"/>'.repeat(4000)}</a>`)],
    ['a page', '<html><body>Welcome<br></body></html>'],
  ])('that answers %s is an error with a reason', async (_name, bad) => {
    const { ptz, camera } = await startControlled({
      answer: (request) => (request === 'GetNodes' ? bad : undefined),
    })
    const { status, body } = await ptz(right)
    expect([status, Object(body).code]).toEqual([400, 'ProbeError'])
    await vi.waitFor(() => expect(camera.asked.length).toBeGreaterThan(0), patience)
  })

  test('whose services are elsewhere is called at its own address alone', async () => {
    const { ptz, control } = await startControlled({ namedHost: '10.9.8.7' })
    expect((await ptz({ home: true })).status).toBe(200)
    expect(control.commands).toEqual(['home'])
  })

  test('that answers no stop is told to stop again', async () => {
    let refused = 0
    const { ptz, control } = await startControlled({
      answer: (request) => {
        if (request !== 'Stop' || refused > 0) return undefined
        refused += 1
        return '<broken'
      },
    })
    await ptz(right)
    await control.until(({ commands }) => commands.includes('stop'))
    expect(refused).toBe(1)
  })
})
