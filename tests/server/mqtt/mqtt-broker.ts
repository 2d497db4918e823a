import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { type BrokerHarness, startMqttBroker } from '../fixtures/mqtt-server.ts'

/** An MQTT broker for the duration of a test. `port` 0: a free one. */
export const mqttBroker = async (port = 0, tls?: TlsOptions): Promise<BrokerHarness> => {
  const broker = await startMqttBroker(port, tls)
  onTestFinished(broker.close)
  return broker
}
