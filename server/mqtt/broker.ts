import { connect } from 'mqtt'
import { isIP } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { guarded } from '../guarded.ts'
import type { MqttOptions } from './options.ts'

const reconnectMs = 5000
const connectTimeoutMs = 10_000
const keepaliveSeconds = 20
/** How long a stop waits for the broker to confirm the last message. */
const endMs = 2000

export type Connection = {
  isConnected: () => boolean
  /** Delivered at least once, in order; what isn't confirmed yet is sent again after a reconnection. */
  publish: (topic: string, payload: string, isRetained?: boolean) => void
}

/** Reconnects until `end`, which publishes `offline`. */
export type Broker = Connection & { end: () => Promise<void> }

export type BrokerEvents = {
  onConnect: () => void
  /** Of the topics in `subscriptions`. */
  onMessage: (topic: string, payload: string) => void
  /** The reason in words, without the address; once until it connects again. */
  onFailure: (reason: string) => void
}

const certificateFaults: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** `code` is a number where the broker refused: MQTT 3.1.1 §3.2.2.3. */
const reasonOf = (error: Error): string => {
  const code = 'code' in error ? error.code : undefined
  if (code === 4 || code === 5) return 'the broker refuses the login'
  if (typeof code === 'string' && certificateFaults.has(code)) return `the certificate is not trusted (${code})`
  return typeof code === 'string' ? code : 'no answer'
}

/** `will` is the topic of the server's own state: the broker says `offline` there when the connection is lost. */
export const connectBroker = (
  { host, port, isSecure, login, password }: MqttOptions,
  { clientId, will, subscriptions }: { clientId: string; will: string; subscriptions: readonly string[] },
  { onConnect, onMessage, onFailure }: BrokerEvents,
): Broker => {
  const client = connect({
    protocol: isSecure ? 'mqtts' : 'mqtt',
    host,
    port,
    ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
    ...(login === '' ? {} : { username: login, password }),
    clientId,
    keepalive: keepaliveSeconds,
    reconnectPeriod: reconnectMs,
    connectTimeout: connectTimeoutMs,
    // Subscribed at each connection, below.
    resubscribe: false,
    // A login that is refused now may be allowed later.
    reconnectOnConnackError: true,
    will: { topic: will, payload: Buffer.from('offline'), qos: 1, retain: true },
  })
  let isReported = false
  const report = (reason: string): void => {
    if (!isReported) onFailure(reason)
    isReported = true
  }
  client.on(
    'connect',
    guarded('mqtt: connect', () => {
      isReported = false
      client.subscribe([...subscriptions], { qos: 1 })
      onConnect()
    }),
  )
  client.on(
    'message',
    guarded('mqtt: message', (topic: string, payload: Buffer) => onMessage(topic, payload.toString())),
  )
  client.on(
    'error',
    guarded('mqtt: error', (error: Error) => report(reasonOf(error))),
  )
  client.on(
    'close',
    guarded('mqtt: close', () => report('the connection was closed')),
  )
  return {
    isConnected: () => client.connected,
    publish: (topic, payload, isRetained = false) =>
      void client.publish(topic, payload, { qos: 1, retain: isRetained }),
    end: async () => {
      isReported = true
      if (client.connected) {
        const confirmed = client.publishAsync(will, 'offline', { qos: 1, retain: true })
        await Promise.race([confirmed, after(endMs, undefined, { ref: false })])
      }
      await client.endAsync(true)
    },
  }
}
