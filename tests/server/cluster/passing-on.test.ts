import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { expect, onTestFinished, test } from 'vitest'
import type { Cluster } from '../../../server/cluster/cluster.ts'
import type { NodeCalls } from '../../../server/cluster/node-calls.ts'
import { installPassingOn } from '../../../server/cluster/passing-on.ts'
import { portOf } from '../../../server/start.ts'

test('once a client leaves in the middle of the answer of another node, this node does not answer, too', async () => {
  const app = fastify().withTypeProvider<ZodTypeProvider>()
  onTestFinished(() => app.close())
  const cluster: Cluster = Object.assign(Object.create(null), {
    nodeId: 'a',
    tenureOf: () => undefined,
    holderOf: () => ({ nodeId: 'b' }),
    isAvailable: () => true,
  })
  const answer = { status: 200, headers: { 'content-type': 'video/mp4' }, body: Buffer.alloc(8 * 1024 * 1024) }
  const calls: NodeCalls = Object.assign(Object.create(null), { ask: async () => answer })
  const closed = Promise.withResolvers<void>()
  app.addHook('onRequest', async (request, { raw }) => {
    Object.assign(request, { caller: { kind: 'nobody' } })
    raw.once('close', closed.resolve)
  })
  installPassingOn(app, cluster, calls)
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
