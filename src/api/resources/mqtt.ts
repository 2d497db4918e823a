import { call } from '../call.ts'
import { MqttDeliveries, MqttTested } from '../contract/mqtt.ts'

/** The server waits for the broker. */
const testTimeoutMs = 30_000

/** The calls of this file: only by administrators, with the feature `mqtt`. Newest first. */
export const getMqttDeliveries = (page: number, signal?: AbortSignal) =>
  call(MqttDeliveries, { path: '/v1/mqtt-deliveries', query: { page }, signal })

export const testMqtt = (signal?: AbortSignal) =>
  call(MqttTested, { path: '/v1/mqtt/test', method: 'POST', signal, timeoutMs: testTimeoutMs })
