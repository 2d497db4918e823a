import { expect, onTestFinished, test, vi } from 'vitest'
import { createMqttDeliveryStore } from '../../../server/mqtt/delivery-store.ts'
import { createMqtt } from '../../../server/mqtt/mqtt.ts'
import { createPublishing, topicsOf } from '../../../server/mqtt/publishing.ts'
import { mqttBroker } from './mqtt-broker.ts'
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

test('a node that lost the lead while the broker was away does not publish its old states', async () => {
  const broker = await mqttBroker()
  const { site, context } = await startVideo({ settings: { nodeId: 'n1' } })
  await site.add({ ...row, uid: 'c1', name: 'Gate', source: 'rtsp://cam.example/1' })
  let leads = true
  const deliveries = createMqttDeliveryStore(context.store)
  const cluster = { ...context.cluster, nodeId: 'n1', isShared: true, isLeader: () => leads }
  const mqtt = createMqtt(
    { ...context, cluster },
    site,
    async () => ({ failing: new Map(), stateOf: () => 'well', nameOf: (uid) => uid }),
    { options: broker.options, deliveries },
  )
  onTestFinished(mqtt.stop)
  await mqtt.start()
  await broker.until(({ payload }) => payload.includes('Gate'))
  await broker.close()
  await vi.waitFor(() => expect(mqtt.connection().isConnected).toBe(false), patience)
  await site.change('c1', (before) => ({ ...before, name: 'Yard' }))
  const isYard = ({ payload }: { payload: string }) => payload.includes('Yard')
  await vi.waitFor(async () => expect((await deliveries.page(1)).items.some(isYard)).toBe(true), patience)
  leads = false
  const back = await mqttBroker(broker.options.port)
  await back.until(({ topic, payload }) => topic === 'site/cams/status/n1' && payload === 'online')
  expect(back.messages.some(isYard)).toBe(false)
  leads = true
  expect(await back.until(isYard)).toMatchObject({ topic: 'site/cams/stream/c1/status', isRetained: true })
})
