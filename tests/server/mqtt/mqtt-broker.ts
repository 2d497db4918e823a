import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { connectBroker } from '../../../server/mqtt/broker.ts'
import type { MqttOptions } from '../../../server/mqtt/options.ts'
import { type BrokerHarness, startMqttBroker } from '../fixtures/mqtt-server.ts'
import { type Mqtt5Behaviour, type Mqtt5Harness, startMqtt5Broker } from '../fixtures/mqtt5-server.ts'

/** An MQTT broker for the duration of a test. `port` 0: a free one. */
export const mqttBroker = async (port = 0, tls?: TlsOptions): Promise<BrokerHarness> => {
  const broker = await startMqttBroker(port, tls)
  onTestFinished(broker.close)
  return broker
}

/** A broker of MQTT 5 for the duration of a test. */
export const mqtt5Broker = async (behaviour: Mqtt5Behaviour = {}): Promise<Mqtt5Harness> => {
  const broker = await startMqtt5Broker(behaviour)
  onTestFinished(broker.close)
  return broker
}

/** How the first attempt to connect ends. */
export const attempt = (options: MqttOptions): Promise<string> =>
  new Promise((resolve) => {
    const broker = connectBroker(
      options,
      { clientId: 'n1', will: 'site/status', subscriptions: [], now: Date.now },
      { onConnect: () => resolve('connected'), onMessage: () => undefined, onFailure: resolve },
    )
    onTestFinished(broker.end)
  })
