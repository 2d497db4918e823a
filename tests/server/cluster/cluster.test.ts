import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { buildServer } from '../../../server/app.ts'
import { serverEntry } from '../../../server/audit/entry.ts'
import { bit } from '../../../server/store/store.ts'
import { databaseOf } from '../fixtures/database.ts'
import { start, startServer, withoutDiskWarning } from '../fixtures/harness.ts'
import { connectHere } from '../fixtures/local-connection.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { logged, segments, startVideo } from '../fixtures/video.ts'
import { version } from '../../../server/version.ts'

test('the cluster is this one node: shown, drained, returned, never removed', async () => {
  const { ask, addUser, signIn, context } = await startServer({ defaults: withoutDiskWarning })
  await addUser('ann', true)
  await addUser('bob')
  const cookie = await signIn('ann')
  const drain = (id: string, drained: unknown) =>
    ask('POST', `/v1/system/cluster/node/${id}/drain`, { cookie, body: { drained } })
  const number = expect.any(Number)
  const node = {
    id: 'local',
    name: hostname(),
    address: hostname(),
    available: true,
    drained: false,
    version,
    streams: 0,
    cpuPercent: number,
    diskUsedPercent: number,
  }
  expect((await ask('GET', '/v1/system/cluster/nodes', { cookie })).body).toEqual({ items: [node] })
  expect((await ask('GET', '/v1/system/cluster/node/local', { cookie })).body).toEqual(node)
  const drained = await drain('local', true)
  expect({ status: drained.status, body: drained.body }).toEqual({ status: 200, body: { ...node, drained: true } })
  expect((await ask('GET', '/v1/system/health')).body).toMatchObject({ warnings: [{ code: 'CLUSTER_NODE_DRAINED' }] })
  expect((await ask('GET', '/v1/system/internal/ui/nodes', { cookie: await signIn('bob') })).body).toEqual({
    items: [{ id: 'local', name: hostname(), available: false }],
  })
  expect(
    await context.store.get(z.object({ isDrained: bit }), 'SELECT is_drained AS isDrained FROM node_state'),
  ).toEqual({
    isDrained: true,
  })
  expect((await drain('local', false)).body).toEqual(node)
  expect((await ask('GET', '/v1/system/health')).body).toMatchObject({ warnings: [] })
  const removed = await ask('DELETE', '/v1/system/cluster/node/local', { cookie })
  expect({ status: removed.status, body: removed.body }).toEqual({
    status: 409,
    body: { code: 'ActionNotAcceptable', message: "This node can't remove itself: send the request to another node" },
  })
  expect((await ask('DELETE', '/v1/system/cluster/node/other', { cookie })).status).toBe(404)
  expect((await drain('other', true)).status).toBe(404)
  expect((await drain('local', 'yes')).body).toEqual({
    code: 'ValidationError',
    details: { drained: 'Must be true or false' },
  })
})

test('a drained node records nothing, says so of its streams, and goes on when it is returned', async () => {
  const { ask, admin, site } = await startVideo()
  const { body } = await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'Gate', streamSource: 'demo:gate' } })
  const uid = String(Reflect.get(Object(body), 'uid'))
  await segments(site, uid, 1)
  const drain = (drained: boolean) =>
    ask('POST', '/v1/system/cluster/node/local/drain', { cookie: admin, body: { drained } })
  const stops = logged(site, uid, /^Stopped$/)
  await drain(true)
  await stops
  const stream = async () => (await ask('GET', `/v1/stream/${uid}`, { cookie: admin })).body
  expect(await stream()).toMatchObject({
    status: 'paused',
    failureReason: 'The node is drained',
    node: { id: 'local', available: false },
  })
  const goesOn = segments(site, uid, 1)
  await drain(false)
  await goesOn
  expect(await stream()).toMatchObject({ failureReason: '', node: { id: 'local', available: true } })
})

test('one server records every stream, and neither moves nor pins any elsewhere', async () => {
  const { ask, addUser, signIn } = await startServer({ plugins: [createStreamsPlugin()] })
  await addUser('ann', true)
  const cookie = await signIn('ann')
  const draft = { name: 'Gate', streamSource: 'demo:gate', live: { onDemand: true }, node: { id: 'local' } }
  const { body } = await ask('POST', '/v1/stream', { cookie, body: draft })
  const uid = String(Reflect.get(Object(body), 'uid'))
  expect((await ask('GET', '/v1/system/cluster/streams', { cookie })).body).toEqual({
    items: [
      {
        streamId: uid,
        name: 'Gate',
        status: 'pending',
        live: { onDemand: true },
        viewers: 0,
        nodeId: 'local',
        reason: 'placed',
        pinnedNodeId: '',
        nextNodeId: '',
      },
    ],
  })
  const post = async (path: string, nodeId: string) => {
    const answer = await ask('POST', `/v1/system/cluster/stream/${path}`, { cookie, body: { nodeId } })
    return [answer.status, answer.body]
  }
  const unknown = [400, { code: 'ValidationError', details: { nodeId: 'Unknown node' } }]
  expect(await post(`${uid}/move`, 'other')).toEqual(unknown)
  expect(await post(`${uid}/pin`, 'other')).toEqual(unknown)
  expect((await post('nothing/pin', 'local'))[0]).toBe(404)
  expect(await post(`${uid}/move`, 'local')).toEqual([200, {}])
  expect(await post(`${uid}/pin`, '')).toEqual([200, {}])
})

test('a second server with the id of a node is refused before it writes to the audit log', async () => {
  const options = {
    nodeId: 'a',
    url: 'http://a.example',
    secret: 'a secret that only these nodes know',
    // Goes on with each entry.
    clock: `(SELECT ${start} + coalesce(max(id), 0) FROM audit_logs)`,
    beatMs: 0,
  }
  const { context } = await startServer({ cluster: options })
  const { audit, cluster, dataDir } = context
  const begin = () => audit.begin({ ...serverEntry('stream.change'), outcome: 'started' })
  await begin()
  const second = buildServer({
    dataDir,
    distDir: join(dataDir, 'dist'),
    connect: connectHere,
    ...(await databaseOf(dataDir)),
    now: () => start,
    plugins: [],
    cluster: {
      ...options,
      pause: async () => {
        await begin()
        await cluster.refresh()
      },
    },
  })
  await expect(second).rejects.toThrow('Another server runs as node a')
  const { items } = await audit.read({ action: 'stream.change' }, 1)
  expect(items.map(({ outcome }) => outcome)).toEqual(['started', 'started'])
})
