import { connect, type MqttClient } from 'mqtt'
import { isIP } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { getCACertificates } from 'node:tls'
import { guarded } from '../guarded.ts'
import { failureOf, type MqttFailure } from './failure.ts'
import type { MqttOptions } from './options.ts'

const reconnectMs = 5000
const connectTimeoutMs = 10_000
const keepaliveSeconds = 20
/** How long a stop waits for the broker to confirm the last message. */
const endMs = 2000

export type Message = { topic: string; payload: string; isRetained: boolean }

export type Connection = {
  isConnected: () => boolean
  /**
   * Publishes once, with quality of service 1. `confirm` is called when the broker has confirmed the message, and never
   * if the connection is lost before.
   */
  publish: (message: Message, confirm: () => void) => void
}

/** Reconnects until `end`, which publishes `offline`. */
export type Broker = Connection & {
  /** Connects now, if it waits for the next attempt. */
  retry: () => void
  end: () => Promise<void>
}

export type BrokerEvents = {
  onConnect: () => void
  /** Called with the messages of the topics in `subscriptions`. */
  onMessage: (topic: string, payload: string) => void
  /** An attempt to connect failed, or the connection was lost. */
  onFailure: (failure: MqttFailure) => void
}

const tlsOf = ({ host, isSecure, ca, certificate }: MqttOptions) => {
  if (!isSecure) return {}
  return {
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
    ...certificate,
  }
}

/** `will` is the topic of the server's own state: the broker says `offline` there when the connection is lost. */
export const connectBroker = (
  options: MqttOptions,
  { clientId, will, subscriptions }: { clientId: string; will: string; subscriptions: readonly string[] },
  { onConnect, onMessage, onFailure }: BrokerEvents,
): Broker => {
  const { host, port, isSecure, login, password } = options
  let isEnded = false
  let timer: NodeJS.Timeout | undefined

  /** Each connection has a client of its own, so that the outbox, and not the client, repeats unconfirmed messages. */
  const open = (): MqttClient => {
    const opened = connect({
      protocol: isSecure ? 'mqtts' : 'mqtt',
      host,
      port,
      ...tlsOf(options),
      ...(login === '' ? {} : { username: login, password }),
      clientId,
      keepalive: keepaliveSeconds,
      reconnectPeriod: 0,
      connectTimeout: connectTimeoutMs,
      // Subscribed at each connection, below.
      resubscribe: false,
      // Closes the connection that was refused.
      reconnectOnConnackError: true,
      will: { topic: will, payload: Buffer.from('offline'), qos: 1, retain: true },
    })
    let failure: MqttFailure = 'CONNECTION_LOST'
    opened.on(
      'connect',
      guarded('mqtt: connect', () => {
        opened.subscribe([...subscriptions], { qos: 1 })
        onConnect()
      }),
    )
    opened.on(
      'message',
      guarded('mqtt: message', (topic: string, payload: Buffer) => onMessage(topic, payload.toString())),
    )
    opened.on(
      'error',
      guarded('mqtt: error', (error: Error) => {
        failure = failureOf(error)
      }),
    )
    opened.once(
      'close',
      guarded('mqtt: close', () => {
        if (isEnded) return
        timer = setTimeout(guarded('mqtt: connect again', retry), reconnectMs)
        timer.unref()
        onFailure(failure)
      }),
    )
    return opened
  }
  let client = open()
  const retry = (): void => {
    if (timer === undefined || isEnded) return
    clearTimeout(timer)
    timer = undefined
    client.end(true)
    client = open()
  }

  return {
    isConnected: () => client.connected,
    publish: ({ topic, payload, isRetained }, confirm) => {
      const done = guarded('mqtt: confirmed', (error?: Error | null) => {
        if (error === undefined || error === null) confirm()
      })
      client.publish(topic, payload, { qos: 1, retain: isRetained }, done)
    },
    retry,
    end: async () => {
      isEnded = true
      clearTimeout(timer)
      if (client.connected) {
        const confirmed = client.publishAsync(will, 'offline', { qos: 1, retain: true })
        await Promise.race([confirmed, after(endMs, undefined, { ref: false })])
      }
      await client.endAsync(true)
    },
  }
}
