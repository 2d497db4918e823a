import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMqttDeliveryStore } from '../../../server/mqtt/delivery-store.ts'
import { createMqtt } from '../../../server/mqtt/mqtt.ts'
import { createPublishing, topicsOf } from '../../../server/mqtt/publishing.ts'
import { mqttBroker } from './mqtt-broker.ts'
import { createHeldCheck } from '../../fixtures/held-check.ts'
import { patience } from '../../fixtures/patience.ts'
import { row } from '../fixtures/paused-stream.ts'
import { startVideo } from '../fixtures/video.ts'

test('a new leader publishes all states, and removes those of streams that are gone', () => {
  const messages: string[] = []
  let time = Date.parse('2026-11-25T10:00:00.000Z')
  const { noteRetained, takeOver, update } = createPublishing(
    topicsOf('site', 'n1'),
    ({ topic, payload }) => messages.push(`${topic} ${payload}`),
    () => time,
  )
  const lead = () => {
    takeOver()
    update([{ uid: 'c1', name: 'Gate', status: 'running', failureReason: '' }], new Map())
    return messages.splice(0)
  }
  const faults = 'site/faults {"items":[]}'
  const running = (since: string) =>
    `site/stream/c1/status {"streamId":"c1","name":"Gate","status":"running","failureReason":"","time":"${since}"}`
  for (const uid of ['c1', 'gone', 'removed']) noteRetained(`site/stream/${uid}/status`, '{}')
  noteRetained('site/stream/removed/status', '')
  expect(lead()).toEqual([running('2026-11-25T10:00:00.000Z'), faults, 'site/stream/gone/status '])
  time += 1000
  expect(lead()).toEqual([running('2026-11-25T10:00:01.000Z'), faults])
})

/** A node with the stream `c1`, published to a broker; `state` says whether it leads, and its database is away. */
const open = async (beforeSnapshot: () => Promise<void> = async () => undefined) => {
  const broker = await mqttBroker()
  const { site, context } = await startVideo({ settings: { nodeId: 'n1' } })
  await site.add({ ...row, uid: 'c1', name: 'Gate', source: 'rtsp://cam.example/1' })
  const state = { isLeader: true, isAway: false }
  const deliveries = createMqttDeliveryStore(context.store)
  const cluster = { ...context.cluster, nodeId: 'n1', isShared: true, isLeader: () => state.isLeader }
  const mqtt = createMqtt(
    { ...context, cluster, store: { ...context.store, isAway: () => state.isAway } },
    site,
    async () => {
      await beforeSnapshot()
      return { failing: new Map(), stateOf: () => 'well', nameOf: (uid) => uid }
    },
    { options: broker.options, deliveries },
  )
  onTestFinished(mqtt.stop)
  return { broker, state, deliveries, mqtt, rename: (name: string) => site.change('c1', (all) => ({ ...all, name })) }
}
const isAbout =
  (name: string) =>
  ({ payload }: { payload: string }) =>
    payload.includes(name)

test('a node that lost the lead while the broker was away does not publish its old states', async () => {
  const { broker, state, deliveries, mqtt, rename } = await open()
  await mqtt.start()
  await broker.until(isAbout('Gate'))
  await broker.close()
  await vi.waitFor(() => expect(mqtt.connection().isConnected).toBe(false), patience)
  await rename('Yard')
  await vi.waitFor(async () => expect((await deliveries.page(1)).items.some(isAbout('Yard'))).toBe(true), patience)
  state.isLeader = false
  const back = await mqttBroker(broker.options.port)
  await back.until(({ topic, payload }) => topic === 'site/cams/status/n1' && payload === 'online')
  expect(back.messages.some(isAbout('Yard'))).toBe(false)
  state.isLeader = true
  expect(await back.until(isAbout('Yard'))).toMatchObject({ topic: 'site/cams/stream/c1/status', isRetained: true })
})

test('while the database is away, the last leader continues to publish what the nodes share', async () => {
  const { broker, state, mqtt, rename } = await open()
  await mqtt.start()
  await broker.until(isAbout('Gate'))
  state.isAway = true
  state.isLeader = false
  await rename('Yard')
  expect(await broker.until(isAbout('Yard'))).toMatchObject({ topic: 'site/cams/stream/c1/status' })
})

describe('while a check takes long', () => {
  /** A node on a timer that the test moves; its second check waits for `checks.end`. */
  const openHeld = async () => {
    const checks = createHeldCheck()
    const node = await open(checks.run)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await node.mqtt.start()
    await node.broker.until(isAbout('Gate'))
    vi.advanceTimersByTime(2000)
    await expect.poll(() => checks.count, patience).toBe(2)
    vi.advanceTimersByTime(20_000)
    return { ...node, checks }
  }

  test('only one more waits', async () => {
    const { checks, mqtt } = await openHeld()
    checks.end()
    await expect.poll(() => checks.count, patience).toBeGreaterThan(2)
    await mqtt.save()
    expect(checks.count).toBe(3)
  })

  test('none follows it once all is stopped', async () => {
    const { checks, mqtt } = await openHeld()
    const stopping = mqtt.stop()
    checks.end()
    await stopping
    expect(checks.count).toBe(2)
  })
})
