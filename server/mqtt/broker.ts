import { connect, type IConnackPacket, type MqttClient } from 'mqtt'
import { isIP } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { getCACertificates } from 'node:tls'
import { newId } from '../access/secrets.ts'
import { guarded } from '../guarded.ts'
import { failureOf, isRefusal, type MqttFailure } from './failure.ts'
import { withRenewedFiles, type MqttOptions } from './options.ts'
import { createPacing } from './pacing.ts'
import { signedProperties } from './signing.ts'

const reconnectMs = 5000
const connectTimeoutMs = 10_000
const keepaliveSeconds = 20
/** How long a stop waits for the broker to confirm the last message. */
const endMs = 2000

export type Message = { topic: string; payload: string; isRetained: boolean }

export type Connection = {
  isConnected: () => boolean
  /**
   * Publishes once, with quality of service 1. `settle` is called when the broker has confirmed or refused the message,
   * and never if the connection is lost before. `id` is signed with the message.
   */
  publish: (message: Message & { id: string }, settle: (refusal?: MqttFailure) => void) => void
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
type Session = { clientId: string; will: string; subscriptions: readonly string[]; now: () => number }

/** With a secret messages are signed, which needs MQTT 5; otherwise it is MQTT 3.1.1. */
export const connectBroker = (
  options: MqttOptions,
  { clientId, will, subscriptions, now }: Session,
  { onConnect, onMessage, onFailure }: BrokerEvents,
): Broker => {
  const { host, port, isSecure, login, password, secret } = options
  let isEnded = false
  let timer: NodeJS.Timeout | undefined
  let pace = createPacing(Infinity)
  let current = options
  /** With renewed certificates, or those in use as long as the files can't be used. */
  const renewed = (): MqttOptions => {
    try {
      current = withRenewedFiles(current)
    } catch {
      // The broker refuses what is too old, which is reported.
    }
    return current
  }
  const signed = (message: { id: string; topic: string; payload: string }) => signedProperties(secret, message, now())
  const offline = () => ({ qos: 1, retain: true, ...signed({ id: newId(), topic: will, payload: 'offline' }) }) as const

  /** Each connection has a client of its own, so that the outbox, and not the client, repeats unconfirmed messages. */
  const open = (): MqttClient => {
    const opened = connect({
      protocol: isSecure ? 'mqtts' : 'mqtt',
      host,
      port,
      ...tlsOf(renewed()),
      ...(login === '' ? {} : { username: login, password }),
      protocolVersion: secret === undefined ? 4 : 5,
      clientId,
      keepalive: keepaliveSeconds,
      reconnectPeriod: 0,
      connectTimeout: connectTimeoutMs,
      // Subscribed at each connection, below.
      resubscribe: false,
      // Closes the connection that was refused.
      reconnectOnConnackError: true,
      will: { topic: will, payload: Buffer.from('offline'), ...offline() },
    })
    let failure: MqttFailure = 'CONNECTION_LOST'
    opened.on(
      'connect',
      guarded('mqtt: connect', ({ properties }: IConnackPacket) => {
        // The library doesn't keep to this limit of brokers (MQTT 5 §4.9).
        pace = createPacing(properties?.receiveMaximum ?? Infinity)
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
    publish: (message, settle) => {
      const { topic, payload, isRetained } = message
      const connection = client
      pace((done) => {
        const handle = guarded('mqtt: confirmed', (error?: Error | null) => {
          done()
          if (error === undefined || error === null) settle()
          else if (isRefusal(error)) settle('MESSAGE_REFUSED')
        })
        connection.publish(topic, payload, { qos: 1, retain: isRetained, ...signed(message) }, handle)
      })
    },
    retry,
    end: async () => {
      isEnded = true
      clearTimeout(timer)
      if (client.connected) {
        // The broker may refuse it.
        const confirmed = client.publishAsync(will, 'offline', offline()).catch(() => undefined)
        await Promise.race([confirmed, after(endMs, undefined, { ref: false })])
      }
      await client.endAsync(true)
    },
  }
}
