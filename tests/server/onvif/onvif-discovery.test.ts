import { expect, test } from 'vitest'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { startServer } from '../fixtures/harness.ts'
import { type Announcer, probeMatch } from '../../fixtures/onvif-device.ts'
import { startCameraNetwork } from '../fixtures/onvif-camera.ts'

const open = async (...announcers: readonly Announcer[]) => {
  const { network, probes } = await startCameraNetwork(...announcers)
  const server = await startServer({
    plugins: [createStreamsPlugin({ allowLoopback: true, cameraNetwork: network })],
  })
  await server.addUser('root', true)
  const admin = await server.signIn('root')
  const search = async (cookie = admin) => {
    const { status, body } = await server.ask('POST', '/v1/onvif/discover', { cookie, body: {} })
    return { status, items: Object(body).items }
  }
  return { ...server, admin, search, probes }
}

const scopes =
  'onvif://www.onvif.org/type/video_encoder onvif://www.onvif.org/name/North%20gate%E2%80%AE ' +
  'onvif://www.onvif.org/hardware/DS-2CD onvif://www.onvif.org/location/city/Minsk onvif://www.onvif.org/location/yard'

test('cameras of the network are found, each at the sender of its answer', async () => {
  const { search, probes, ask, admin } = await open(
    (id) => [
      probeMatch(id, {
        uuid: 'gate',
        scopes,
        xaddrs: 'http://169.254.1.2/onvif/device_service http://127.0.0.1:8080/d',
      }),
    ],
    (id) => [probeMatch(id, { uuid: 'elsewhere', xaddrs: 'http://198.51.100.7:81/onvif/device_service' })],
  )
  const streamSource = 'rtsp://127.0.0.1:9/1'
  const { body } = await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'Door', streamSource } })
  const streams = [{ uid: Object(body).uid, name: 'Door' }]
  const found = { host: '127.0.0.1', streams }
  expect(await search()).toEqual({
    status: 200,
    items: [
      {
        ...found,
        id: 'urn:uuid:gate',
        address: 'http://127.0.0.1:8080/d',
        name: 'North gate',
        model: 'DS-2CD',
        location: 'city/Minsk, yard',
      },
      {
        ...found,
        id: 'urn:uuid:elsewhere',
        address: 'http://127.0.0.1:81/onvif/device_service',
        name: '',
        model: '',
        location: '',
      },
    ],
  })
  expect(probes.length).toBe(2)
  expect(probes[0]).toContain('NetworkVideoTransmitter')
})

test('a user who may add streams sees no streams of others at the same host', async () => {
  const { search, ask, admin, addUser, signIn } = await open((id) => [
    probeMatch(id, { uuid: 'gate', xaddrs: 'http://127.0.0.1/' }),
  ])
  await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'Door', streamSource: 'rtsp://127.0.0.1:9/1' } })
  await addUser('ann')
  expect((await search(await signIn('ann'))).items).toMatchObject([{ streams: [] }])
})

test('concurrent searches are one', async () => {
  const { search, probes } = await open((id) => [probeMatch(id, { uuid: 'gate', xaddrs: 'http://127.0.0.1/' })])
  const found = await Promise.all([search(), search(), search()])
  expect(found.map(({ items }) => items.length)).toEqual([1, 1, 1])
  expect(probes.length).toBe(2)
})

test('messages that don’t answer the probe are ignored, and the number of answers is limited', async () => {
  const match = (uuid: string) => ({ uuid, xaddrs: 'http://127.0.0.1/' })
  const { search } = await open(
    (id) => [
      'not XML',
      '<a/>',
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
      probeMatch('urn:uuid:another', match('unasked')),
      probeMatch(id, { uuid: 'ftp', xaddrs: 'ftp://127.0.0.1/ javascript:alert(1)' }),
      probeMatch(id, { ...match('large'), scopes: 'x'.repeat(20_000) }),
    ],
    (id) => Array.from({ length: 300 }, (_, at) => probeMatch(id, match(`flood-${at}`))),
  )
  const { items } = await search()
  const ids = items.map((item: { id: string }) => item.id)
  expect(ids.filter((found: string) => !found.startsWith('urn:uuid:flood-'))).toEqual([])
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.length).toBeLessThanOrEqual(16)
})

test('without a network nothing is found', async () => {
  const server = await startServer({
    plugins: [createStreamsPlugin({ cameraNetwork: { interfaces: () => ['203.0.113.77'], port: 3702, waitMs: 10 } })],
  })
  await server.addUser('root', true)
  const { status, body } = await server.ask('POST', '/v1/onvif/discover', {
    cookie: await server.signIn('root'),
    body: {},
  })
  expect([status, body]).toEqual([200, { items: [] }])
})
