import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MqttDeliveries } from '../../../src/api/contract/mqtt.ts'
import type { MqttOptions } from '../../../server/mqtt/options.ts'
import { mqttBroker } from './mqtt-broker.ts'
import { patience } from '../../fixtures/patience.ts'
import type { BrokerHarness } from '../fixtures/mqtt-server.ts'
import { row } from '../fixtures/paused-stream.ts'
import { startVideo } from '../fixtures/video.ts'

const statusOf = (uid: string) => `site/cams/stream/${uid}/status`
const isOnline = ({ topic, payload }: { topic: string; payload: string }) =>
  topic === 'site/cams/status' && payload === 'online'

/** A server with one paused camera that publishes to a broker, connected. */
const connected = async (broker: BrokerHarness) => {
  const server = await startVideo({ mqtt: broker.options, settings: { nodeId: 'n1' } })
  await server.site.add({ ...row, uid: 'c1', name: 'Gate', source: 'rtsp://cam.example/1' })
  await broker.until(({ topic }) => topic === statusOf('c1'))
  return server
}
const addEvent = ({ ask, admin }: Awaited<ReturnType<typeof connected>>, label: string) =>
  ask('POST', '/v1/annotations', {
    cookie: admin,
    body: { items: [{ streamId: 'c1', type: 'event', time: '2026-11-25T10:00:00.000Z', label, score: 0.9 }] },
  })
const deliveriesOf = async ({ ask, admin }: Pick<Awaited<ReturnType<typeof connected>>, 'ask' | 'admin'>) =>
  MqttDeliveries.parse((await ask('GET', '/v1/mqtt-deliveries', { cookie: admin })).body)
const wrong = (options: MqttOptions): MqttOptions => ({ ...options, password: 'guess' })

test('the states of streams and server are retained, and follow changes and removal', async () => {
  const broker = await mqttBroker()
  const { site } = await connected(broker)
  await broker.until(isOnline)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
  const state = (payload = '') => JSON.parse(payload)
  const retained = broker.retained()
  expect(Object.keys(retained).toSorted()).toEqual(['site/cams/faults', 'site/cams/status', statusOf('c1')].toSorted())
  const paused = { streamId: 'c1', name: 'Gate', status: 'paused', failureReason: '', time }
  expect(state(retained[statusOf('c1')])).toEqual(paused)
  expect(state(retained['site/cams/faults'])).toEqual({ items: [] })
  await site.change('c1', (before) => ({ ...before, name: 'North gate' }))
  const renamed = await broker.until(({ payload }) => payload.includes('North gate'))
  expect(renamed).toMatchObject({ topic: statusOf('c1'), isRetained: true })
  await site.remove('c1', true)
  await broker.until(({ topic, payload }) => topic === statusOf('c1') && payload === '')
  expect(Object.keys(broker.retained())).not.toContain(statusOf('c1'))
})

test('an event of a detector is published once, with the name of the camera', async () => {
  const broker = await mqttBroker()
  const server = await connected(broker)
  await addEvent(server, 'person')
  const event = await broker.until(({ topic }) => topic === 'site/cams/stream/c1/event')
  expect(event.isRetained).toBe(false)
  expect(JSON.parse(event.payload)).toMatchObject({
    streamId: 'c1',
    name: 'Gate',
    type: 'event',
    label: 'person',
    score: 0.9,
    time: '2026-11-25T10:00:00.000Z',
  })
})

test('a stopped server says that it is offline', async () => {
  const broker = await mqttBroker()
  const { app } = await connected(broker)
  await app.close()
  expect(broker.retained()['site/cams/status']).toBe('offline')
})

test('what happens while the broker is away is published when it is back', async () => {
  const broker = await mqttBroker()
  const server = await connected(broker)
  await broker.until(isOnline)
  await broker.close()
  await addEvent(server, 'first')
  await addEvent(server, 'second')
  await server.site.change('c1', (before) => ({ ...before, name: 'Yard' }))
  const back = await mqttBroker(broker.options.port)
  const isEvent =
    (label: string) =>
    ({ topic, payload }: { topic: string; payload: string }) =>
      topic.endsWith('/event') && payload.includes(label)
  await back.until(isEvent('second'))
  const events = back.messages.filter(({ topic }) => topic.endsWith('/event'))
  expect(events.map(({ payload }) => JSON.parse(payload).label)).toEqual(['first', 'second'])
  await back.until(({ topic, payload }) => topic === statusOf('c1') && payload.includes('Yard'))
})

test('a state that the broker kept of a stream removed meanwhile is cleared', async () => {
  const broker = await mqttBroker()
  const first = await connected(broker)
  await first.app.close()
  expect(Object.keys(broker.retained())).toContain(statusOf('c1'))
  await startVideo({ mqtt: broker.options })
  await broker.until(({ topic, payload }) => topic === statusOf('c1') && payload === '')
  expect(Object.keys(broker.retained())).not.toContain(statusOf('c1'))
})

test('health warns administrators of a broker that refuses, and the log has the reason without the password', async () => {
  const broker = await mqttBroker()
  let time = Date.now()
  const { ask, admin, context } = await startVideo({ mqtt: wrong(broker.options), now: () => time })
  const codes = async () => JSON.stringify((await ask('GET', '/v1/system/health', { cookie: admin })).body)
  const logged = () => JSON.stringify(context.serverLog.read(undefined))
  await vi.waitFor(() => expect(logged()).toContain('the broker refuses the login'), patience)
  expect(logged()).not.toContain('guess')
  expect(await codes()).not.toContain('MQTT_AWAY')
  time += 31_000
  expect(await codes()).toContain('MQTT_AWAY')
  const anyone = await ask('GET', '/v1/system/health')
  expect(JSON.stringify(anyone.body)).not.toContain('MQTT_AWAY')
})

test('what was published is listed with its topic, and a test is sent on request', async () => {
  const broker = await mqttBroker()
  const server = await connected(broker)
  await addEvent(server, 'person')
  await broker.until(({ topic }) => topic.endsWith('/event'))
  const tested = await server.ask('POST', '/v1/mqtt/test', { cookie: server.admin })
  expect(tested.body).toEqual({ topic: 'site/cams/test', sent: true, failureReason: '' })
  await vi.waitFor(async () => {
    const { items } = await deliveriesOf(server)
    expect(items.every(({ status }) => status === 'sent')).toBe(true)
  }, patience)
  const { items, total, connection } = await deliveriesOf(server)
  expect(connection).toMatchObject({ address: `mqtt://127.0.0.1:${broker.options.port}`, connected: true })
  expect(items.slice(0, 2).map(({ topic, status, attempts }) => [topic, status, attempts])).toEqual([
    ['site/cams/test', 'sent', 1],
    ['site/cams/stream/c1/event', 'sent', 1],
  ])
  const states = items.filter(({ retained }) => retained).map(({ topic }) => topic)
  expect(new Set(states)).toEqual(new Set(['site/cams/faults', 'site/cams/status', statusOf('c1')]))
  expect(total).toBe(items.length)
})

test('while the broker is away an event waits, also over a restart, and a test fails at once', async () => {
  const broker = await mqttBroker()
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-mqtt-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const server = await startVideo({ mqtt: broker.options, settings: { nodeId: 'n1' }, dataDir })
  await server.site.add({ ...row, uid: 'c1', name: 'Gate', source: 'rtsp://cam.example/1' })
  await broker.until(isOnline)
  await broker.close()
  const tested = await server.ask('POST', '/v1/mqtt/test', { cookie: server.admin })
  expect(tested.body).toMatchObject({
    sent: false,
    failureReason: expect.stringMatching(/^(?:EHOSTUNREACH|CONNECTION_LOST)$/),
  })
  await addEvent(server, 'first')
  const { items, connection } = await deliveriesOf(server)
  // The camera may have failed since.
  const event = items.find(({ topic }) => topic === 'site/cams/stream/c1/event')
  expect(event).toMatchObject({ status: 'waiting', attempts: 0, failureReason: connection.failureReason })
  await server.app.close()
  const back = await mqttBroker(broker.options.port)
  await startVideo({ mqtt: broker.options, settings: { nodeId: 'n1' }, dataDir, addsAdmin: false })
  expect((await back.until(({ topic }) => topic.endsWith('/event'))).payload).toContain('first')
})

test('without a broker there is neither the feature nor its calls', async () => {
  const { ask, admin, context } = await startVideo()
  expect(context.features.has('mqtt')).toBe(false)
  expect((await ask('GET', '/v1/mqtt-deliveries', { cookie: admin })).status).toBe(403)
  expect((await ask('POST', '/v1/mqtt/test', { cookie: admin })).body).toMatchObject({ code: 'FeatureNotFound' })
})
