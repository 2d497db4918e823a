import { once } from 'node:events'
import { get } from 'node:http'
import { expect, test } from 'vitest'
import { createSendingLimit } from '../../../server/archive/playback/sending.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { isClosed } from '../../../server/http/is-closed.ts'
import { whileOpen } from '../../../server/http/while-open.ts'
import { portOf } from '../../../server/start.ts'
import { startServer } from '../fixtures/harness.ts'
import { certified, connect2 } from '../fixtures/tls.ts'

/** Requests a path, and leaves once `arrived` resolves. */
type Leave = (port: number, path: string, arrived: Promise<void>, ca: Buffer) => Promise<void>

const overHttp1: Leave = async (port, path, arrived) => {
  const request = get({ host: '127.0.0.1', port, path }).on('error', () => undefined)
  await arrived
  request.destroy()
}

const overHttp2: Leave = async (port, path, arrived, ca) => {
  const stream = connect2(port, ca)
    .session.request({ ':path': path })
    .on('error', () => undefined)
  await arrived
  stream.close(8)
}

test.each([
  ['HTTP/1.1', false, overHttp1],
  ['HTTP/2', true, overHttp2],
] as const)(
  'over %s a response whose client has left counts as closed, and is not counted as sent',
  async (...given) => {
    const [, isTls, leave] = given
    const { tls, ca } = certified()
    const limit = createSendingLimit({ each: 10, all: 10 })
    const arrived = Promise.withResolvers<void>()
    const left = Promise.withResolvers<{ before: boolean; after: boolean; isAborted: boolean }>()
    const plugin: ServerPlugin = (app) => {
      const config = { access: { to: 'anyone' }, beforeFirstAdministrator: true } as const
      app.get('/v1/slow', { config }, async (_request, reply) => {
        const before = isClosed(reply)
        arrived.resolve()
        await once(reply.raw, 'close')
        limit.reserve('a', reply, 20)
        left.resolve({ before, after: isClosed(reply), isAborted: whileOpen(reply).aborted })
        return {}
      })
    }
    const { app } = await startServer({ plugins: [plugin], ...(isTls ? { tls } : {}) })
    await app.listen({ host: '127.0.0.1', port: 0 })
    await leave(portOf(app), '/v1/slow', arrived.promise, ca)
    expect(await left.promise).toEqual({ before: false, after: true, isAborted: true })
    await limit.idle()
  },
)
