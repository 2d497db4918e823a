import { once } from 'node:events'
import { connect as connect2 } from 'node:http2'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { ServerPlugin } from '../../../server/context.ts'
import type { EntryPage } from '../../../server/audit/entries.ts'
import { portOf } from '../../../server/start.ts'
import { password, startServer, type Harness } from '../fixtures/harness.ts'
import { certified } from '../fixtures/tls.ts'
import { patience } from '../../fixtures/patience.ts'

const piece = Buffer.alloc(1000)
const Uid = z.object({ uid: z.string() })

/** A change that is made once its caller is gone; downloads of four pieces, without end, and that begin too late. */
const slow = () => {
  const asked = Promise.withResolvers<void>()
  const plugin: ServerPlugin = (app, { store }) => {
    const schema = { params: Uid }
    const admin = { config: { access: { to: 'admin', from: 'params.uid' } }, schema } as const
    const archive = { config: { access: { to: 'viewArchive', from: 'params.uid' } }, schema } as const
    app.delete('/v1/stream/:uid', admin, async ({ params }, reply) => {
      asked.resolve()
      await once(reply.raw, 'close')
      await store.run('DELETE FROM streams WHERE uid = ?', params.uid)
      return {}
    })
    app.get('/v1/stream/:uid/archive/download', archive, async ({ params }, reply) => {
      const pieces = async function* (): AsyncGenerator<Buffer> {
        for (let turn = 0; turn < 4 || params.uid.startsWith('endless'); turn += 1) {
          yield piece
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      if (params.uid === 'late') {
        asked.resolve()
        await once(reply.raw, 'close')
      }
      return reply.send(Readable.from(pieces()))
    })
  }
  return { plugin, asked: asked.promise }
}

type Wire = Harness & {
  asked: Promise<void>
  port: number
  ca: Buffer | undefined
  cookie: string
  entries: (action: string) => Promise<EntryPage['items']>
}

const wire = async (isTls: boolean): Promise<Wire> => {
  const { plugin, asked } = slow()
  const certificate = isTls ? certified() : undefined
  const tls = certificate === undefined ? {} : { tls: certificate.tls }
  const harness = await startServer({ plugins: [plugin], ...tls })
  await harness.addUser('ann', true)
  for (const uid of ['s1', 'endless', 'late']) await harness.addStream(uid)
  await harness.app.listen({ host: '127.0.0.1', port: 0 })
  const cookie = isTls ? `__Host-${await harness.signIn('ann')}` : await harness.signIn('ann')
  return {
    ...harness,
    asked,
    port: portOf(harness.app),
    ca: certificate?.ca,
    cookie,
    entries: async (action) => (await harness.context.audit.read({ action }, 1)).items,
  }
}

/** A call over a connection of its own; `breakOff` resets that, or over HTTP/2 the stream alone. */
type Call = { breakOff: () => void; firstBytes: Promise<unknown>; whole: Promise<unknown> }

type Caller = (wire: Wire, method: string, path: string, body?: string) => Call

const overHttp1: Caller = ({ port, cookie }, method, path, body = '') => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const head = ['host: localhost', 'origin: http://localhost', 'content-type: application/json', 'connection: close']
  const rest = [`cookie: ${cookie}`, `content-length: ${body.length}`, '', body]
  socket.write([`${method} ${path} HTTP/1.1`, ...head, ...rest].join('\r\n'))
  const firstBytes = once(socket, 'data')
  firstBytes.catch(() => undefined)
  return { breakOff: () => socket.resetAndDestroy(), firstBytes, whole: once(socket, 'close') }
}

const overHttp2 =
  (isConnectionLost: boolean): Caller =>
  ({ port, ca, cookie }, method, path, body = '') => {
    const origin = `https://localhost:${port}`
    const session = connect2(origin, ca === undefined ? {} : { ca })
    onTestFinished(() => session.destroy())
    session.on('error', () => undefined)
    const headers = { ':method': method, ':path': path, origin, cookie, 'content-type': 'application/json' }
    const stream = session.request(headers, { endStream: body === '' })
    stream.on('error', () => undefined)
    if (body !== '') stream.end(body)
    const firstBytes = once(stream, 'data')
    firstBytes.catch(() => undefined)
    const breakOff = () => (isConnectionLost ? session.destroy() : stream.close(8))
    return { breakOff, firstBytes, whole: once(stream, 'end') }
  }

describe.each([
  ['HTTP/1.1', false, overHttp1],
  ['a stream of HTTP/2', true, overHttp2(false)],
  ['a connection of HTTP/2', true, overHttp2(true)],
] as const)('over %s', (_name, isTls, call) => {
  test('a change is recorded before it is made, and then as done though its caller is gone', async () => {
    const server = await wire(isTls)
    const { breakOff } = call(server, 'DELETE', '/v1/stream/s1')
    await server.asked
    expect(await server.entries('stream.delete')).toMatchObject([{ login: 'ann', target: 's1', outcome: 'started' }])
    breakOff()
    const done = [{ login: 'ann', target: 's1', outcome: 'ok' }]
    await vi.waitFor(async () => expect(await server.entries('stream.delete')).toMatchObject(done), patience)
    expect(await server.context.store.all(z.unknown(), "SELECT 1 FROM streams WHERE uid = 's1'")).toEqual([])
  })

  test('three administrators whose maker resets the connection are three entries', async () => {
    const server = await wire(isTls)
    for (const name of ['x1', 'x2', 'x3']) {
      const arrived = once(server.app.server, 'request')
      const { breakOff } = call(server, 'POST', '/v1/user', JSON.stringify({ name, password, permissionType: 'admin' }))
      await arrived
      await vi.waitFor(
        async () => expect((await server.entries('user.create')).length).toBe(Number(name.slice(1))),
        patience,
      )
      breakOff()
    }
    const made = async () =>
      (await server.entries('user.create')).map(({ target, outcome, details }) => [target, outcome, details.changes])
    const changes = [{ path: 'permissionType', to: 'admin' }]
    await vi.waitFor(
      async () => expect(await made()).toEqual(['x3', 'x2', 'x1'].map((name) => [name, 'ok', changes])),
      patience,
    )
    expect((await server.context.accounts.all()).filter(({ isAdmin }) => isAdmin)).toHaveLength(4)
  })

  test('a download is recorded when it begins, and broken off when it is', async () => {
    const server = await wire(isTls)
    const { breakOff, firstBytes } = call(server, 'GET', '/v1/stream/endless/archive/download')
    await firstBytes
    const begun = { login: 'ann', target: 'endless', outcome: 'started', bytes: null }
    expect(await server.entries('archive.download')).toMatchObject([begun])
    breakOff()
    const ended = { outcome: 'aborted', bytes: expect.any(Number) }
    await vi.waitFor(async () => expect(await server.entries('archive.download')).toMatchObject([ended]), patience)
    expect((await server.entries('archive.download'))[0]?.bytes).toBeGreaterThanOrEqual(piece.length)
  })

  test('a download that nobody waits for any more is recorded as broken off', async () => {
    const server = await wire(isTls)
    const { breakOff } = call(server, 'GET', '/v1/stream/late/archive/download')
    await server.asked
    breakOff()
    const ended = { target: 'late', outcome: 'aborted' }
    await vi.waitFor(async () => expect(await server.entries('archive.download')).toMatchObject([ended]), patience)
  })

  test('a whole download is recorded with its bytes', async () => {
    const server = await wire(isTls)
    await call(server, 'GET', '/v1/stream/s1/archive/download').whole
    const ended = { outcome: 'ok', bytes: 4 * piece.length, endTime: expect.any(Number) }
    await vi.waitFor(async () => expect(await server.entries('archive.download')).toMatchObject([ended]), patience)
  })
})

test('a download that is taken away is recorded as broken off', async () => {
  const server = await wire(false)
  await server.addUser('bob')
  await server.addStream('endless of bob', 'bob')
  const bob = { ...server, cookie: await server.signIn('bob') }
  const { firstBytes } = overHttp1(bob, 'GET', '/v1/stream/endless%20of%20bob/archive/download')
  await firstBytes
  await server.ask('POST', '/v1/user/bob/block', { cookie: server.cookie })
  const ended = { login: 'bob', outcome: 'aborted' }
  await vi.waitFor(async () => expect(await server.entries('archive.download')).toMatchObject([ended]), patience)
})
