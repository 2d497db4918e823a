import { createHmac } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MqttDeliveries } from '../../../src/api/contract/mqtt.ts'
import { connectBroker } from '../../../server/mqtt/broker.ts'
import { attempt, mqtt5Broker, mqttBroker } from './mqtt-broker.ts'
import { patience } from '../../fixtures/patience.ts'
import type { Mqtt5Behaviour } from '../fixtures/mqtt5-server.ts'
import { row } from '../fixtures/paused-stream.ts'
import { startVideo } from '../fixtures/video.ts'

const time = Date.now()
const eventTopic = 'site/cams/stream/c1/event'

/** A server with one paused camera, and an event of it, that publishes to a broker of MQTT 5. */
const publishing = async (behaviour: Mqtt5Behaviour = {}) => {
  const broker = await mqtt5Broker(behaviour)
  const server = await startVideo({ mqtt: broker.options, settings: { nodeId: 'n1' }, now: () => time })
  await server.site.add({ ...row, uid: 'c1', name: 'Gate', source: 'rtsp://cam.example/1' })
  const body = { streamId: 'c1', type: 'event', time: '2026-11-25T10:00:00.000Z', label: 'человек' }
  await server.ask('POST', '/v1/annotations', { cookie: server.admin, body })
  const topics = [eventTopic, 'site/cams/faults', 'site/cams/status', 'site/cams/stream/c1/status']
  await vi.waitFor(
    () => expect(broker.published.map(({ topic }) => topic)).toEqual(expect.arrayContaining(topics)),
    patience,
  )
  return { broker, server }
}

test('with a secret every message is signed with its topic, and what the broker says of a lost server, too', async () => {
  const { broker, server } = await publishing()
  await server.app.close()
  const messages = [...broker.published, ...broker.connects.flatMap(({ will }) => will ?? [])]
  const offline = messages.filter(({ payload }) => payload?.toString() === 'offline')
  expect(offline).toHaveLength(2)
  for (const { topic, payload, properties } of messages) {
    const { id, timestamp, signature } = properties?.userProperties ?? {}
    expect(timestamp).toBe(String(Math.floor(time / 1000)))
    const signed = `${id}.${timestamp}.${topic}#${payload?.toString()}`
    const expected = createHmac('sha256', broker.options.secret).update(signed).digest('base64')
    expect(signature).toBe(`v1,${expected}`)
  }
})

test('what the broker refuses has failed, and other messages go on', async () => {
  const { server } = await publishing({ refuses: (topic) => topic === eventTopic })
  await vi.waitFor(async () => {
    const { body } = await server.ask('GET', '/v1/mqtt-deliveries', { cookie: server.admin })
    const { items } = MqttDeliveries.parse(body)
    const isEvent = ({ topic }: { topic: string }) => topic === eventTopic
    expect(items.filter(isEvent)).toMatchObject([{ status: 'failed', attempts: 1, failureReason: 'MESSAGE_REFUSED' }])
    expect(items.filter((each) => !isEvent(each)).every(({ status }) => status === 'sent')).toBe(true)
  }, patience)
})

test('a broker gets no more messages at once than it takes', async () => {
  const { options, published, mostUnconfirmed } = await mqtt5Broker({ receiveMaximum: 2 })
  const ids = Array.from({ length: 20 }, (_, index) => `m${index}`)
  await new Promise<void>((resolve) => {
    let settled = 0
    const settle = () => {
      settled += 1
      if (settled === ids.length) resolve()
    }
    const onConnect = () => {
      for (const id of ids) broker.publish({ id, topic: 'site/test', payload: id, isRetained: false }, settle)
    }
    const broker = connectBroker(
      options,
      { clientId: 'n1', will: 'site/status', subscriptions: [], now: () => time },
      { onConnect, onMessage: () => undefined, onFailure: () => undefined },
    )
    onTestFinished(broker.end)
  })
  expect(published.map(({ payload }) => payload.toString())).toEqual(ids)
  expect(mostUnconfirmed()).toBe(2)
})

test('a broker that does not know MQTT 5, or refuses the login by it', async () => {
  const { options } = await mqttBroker()
  expect(await attempt(options)).toBe('connected')
  expect(await attempt({ ...options, secret: 'a secret of 24 letters..' })).toBe('PROTOCOL_REFUSED')
  const answers = [132, 134, 135]
  const failures = answers.map(async (answer) => attempt((await mqtt5Broker({ answer })).options))
  expect(await Promise.all(failures)).toEqual(['PROTOCOL_REFUSED', 'LOGIN_REFUSED', 'LOGIN_REFUSED'])
})
