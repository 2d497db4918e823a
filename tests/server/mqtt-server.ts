import { Aedes } from 'aedes'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { MqttOptions } from '../../server/mqtt/options.ts'

export type Message = { topic: string; payload: string; isRetained: boolean }

export type BrokerHarness = {
  options: MqttOptions
  /** All messages so far that clients published, oldest first. */
  messages: Message[]
  /** Resolves with the first message, past or future, that `isWanted`. */
  until: (isWanted: (message: Message) => boolean) => Promise<Message>
  /** What a new subscriber gets at once, by topic. */
  retained: () => Record<string, string>
  close: () => Promise<void>
}

const login = 'joe'
const password = 'hush#1'

/** An MQTT broker on this machine that admits one login, by TLS if it gets a certificate. `port` 0: a free one. */
export const startMqttBroker = async (port = 0, tls?: TlsOptions): Promise<BrokerHarness> => {
  const messages: Message[] = []
  const waiting: { isWanted: (message: Message) => boolean; resolve: (message: Message) => void }[] = []
  const broker = await Aedes.createBroker({
    authenticate: (_client, given, secret, done) => done(null, given === login && secret?.toString() === password),
  })
  broker.on('publish', ({ topic, payload, retain }, client) => {
    if (client === null) return
    const message = { topic, payload: payload.toString(), isRetained: retain }
    messages.push(message)
    for (const { resolve } of waiting.filter(({ isWanted }) => isWanted(message))) resolve(message)
  })
  const sockets = new Set<Socket>()
  const handle = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    broker.handle(socket)
  }
  const server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await new Promise<void>((resolve) => {
      broker.close(() => resolve())
    })
  }
  return {
    options: {
      host: '127.0.0.1',
      port: address.port,
      isSecure: tls !== undefined,
      login,
      password,
      topic: 'site/cams',
    },
    messages,
    until: (isWanted) => {
      const known = messages.find(isWanted)
      if (known !== undefined) return Promise.resolve(known)
      return new Promise((resolve) => {
        waiting.push({ isWanted, resolve })
      })
    },
    retained: () =>
      Object.fromEntries(
        [...new Map(messages.filter(({ isRetained }) => isRetained).map((each) => [each.topic, each.payload]))].filter(
          ([, payload]) => payload !== '',
        ),
      ),
    close,
  }
}
