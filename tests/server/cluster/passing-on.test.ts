import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { expect, onTestFinished, test } from 'vitest'
import { compatibleRoutes } from '../../../server/archive/playback/compatible-routes.ts'
import type { Compatible } from '../../../server/archive/playback/compatible.ts'
import { liveRoutes } from '../../../server/archive/playback/live-routes.ts'
import { playlistType } from '../../../server/archive/playback/playlist.ts'
import { createSending } from '../../../server/archive/playback/sending.ts'
import type { Cluster } from '../../../server/cluster/cluster.ts'
import type { NodeCalls } from '../../../server/cluster/node-calls.ts'
import { installPassingOn } from '../../../server/cluster/passing-on.ts'
import type { ServerContext } from '../../../server/context.ts'
import { unavailable } from '../../../server/http/api-error.ts'
import { answerError } from '../../../server/http/errors.ts'
import { portOf } from '../../../server/start.ts'
import type { Site } from '../../../server/streams/site.ts'

/** Every stream is recorded by another node. */
const elsewhere = (): Cluster =>
  Object.assign(Object.create(null), {
    nodeId: 'a',
    tenureOf: () => undefined,
    holderOf: () => ({ nodeId: 'b' }),
    isAvailable: () => true,
  })

test('once a client leaves in the middle of the answer of another node, this node does not answer, too', async () => {
  const app = fastify().withTypeProvider<ZodTypeProvider>()
  onTestFinished(() => app.close())
  const answer = { status: 200, headers: { 'content-type': 'video/mp4' }, body: Buffer.alloc(8 * 1024 * 1024) }
  const calls: NodeCalls = Object.assign(Object.create(null), { ask: async () => answer })
  const closed = Promise.withResolvers<void>()
  app.addHook('onRequest', async (request, { raw }) => {
    Object.assign(request, { caller: { kind: 'nobody' } })
    raw.once('close', closed.resolve)
  })
  installPassingOn(app, elsewhere(), calls)
  let handled = 0
  const config = { access: { to: 'anyone' }, answeredBy: 'holder' } as const
  app.get('/v1/stream/:uid/archive/live.m4s', { config }, async () => {
    handled += 1
    return ''
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(portOf(app), '127.0.0.1')
  socket.write('GET /v1/stream/door/archive/live.m4s HTTP/1.1\r\nHost: x\r\n\r\n')
  const [head] = await once(socket, 'data')
  socket.destroy()
  await closed.promise
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect([String(head).slice(9, 12), handled]).toEqual(['200', 0])
})

test('an answer of another node that a hook refuses to send, as it could have no entry, is refused', async () => {
  const app = fastify().withTypeProvider<ZodTypeProvider>()
  onTestFinished(() => app.close())
  const answer = { status: 200, headers: { 'content-type': playlistType }, body: Buffer.from('#EXTM3U') }
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { caller: { kind: 'nobody' } })
  })
  const refusals = [unavailable(60)]
  app.addHook('onSend', async () => {
    const refusal = refusals.pop()
    if (refusal !== undefined) throw refusal
  })
  app.setErrorHandler(answerError)
  installPassingOn(app, elsewhere(), Object.assign(Object.create(null), { ask: async () => answer }))
  const config = { access: { to: 'anyone' }, answeredBy: 'holder' } as const
  app.get('/v1/stream/:uid/archive/live.m3u8', { config }, async () => '')
  const { statusCode, headers, body } = await app.inject('/v1/stream/door/archive/live.m3u8')
  expect([statusCode, headers['retry-after'], body]).toEqual([503, '60', '{"code":"Unavailable"}'])
})

test.each([
  ['init/1.mp4', 'each their own'],
  ['sub/init/1.mp4', 'each their own'],
  ['compatible/init/1.mp4', 'each their own'],
  ['live/1.m4s', 'the same'],
  ['compatible/live/1.m4s', 'the same'],
])('a user and a visitor who ask for %s at the same time get %s answer', async (path, whose) => {
  const app = fastify().withTypeProvider<ZodTypeProvider>()
  onTestFinished(() => app.close())
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  const callers = [
    { kind: 'user', login: 'bob' },
    { kind: 'share', streamUid: 'door' },
  ]
  const bothAsk = Promise.withResolvers<void>()
  let begun = 0
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { caller: callers[begun] })
    begun += 1
    if (begun === callers.length) setImmediate(bothAsk.resolve)
  })
  const ask: NodeCalls['ask'] = async (_nodeId, { client }) => {
    await bothAsk.promise
    return { status: 200, headers: {}, body: Buffer.from(client?.caller.kind ?? '') }
  }
  installPassingOn(app, elsewhere(), Object.assign(Object.create(null), { ask }))
  const context: ServerContext = Object.assign(Object.create(null), { now: () => 0 })
  const site: Site = Object.create(null)
  const compatible: Compatible = Object.create(null)
  liveRoutes(app, context, site, createSending(), compatible)
  compatibleRoutes(app, context, site, createSending(), compatible)
  const answers = await Promise.all(callers.map(() => app.inject(`/v1/stream/door/archive/${path}`)))
  expect(answers.map(({ body }) => body)).toEqual(whose === 'the same' ? ['user', 'user'] : ['user', 'share'])
})
