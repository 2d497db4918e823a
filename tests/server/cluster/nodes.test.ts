import { rmSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { makeDemoLicense } from '../../../scripts/license.ts'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { passedPath } from '../../../server/cluster/node-requests.ts'
import { endPostgres, openNodes, type Node } from '../fixtures/nodes.ts'
import { logged, segments } from '../fixtures/video.ts'
import { patience } from '../../fixtures/patience.ts'

endPostgres()

const draft = { name: 'Gate', streamSource: 'demo:gate', archive: { isEnable: false } }

const addStream = async ({ ask, admin }: Node, body: object = {}): Promise<string> => {
  const { status, body: made } = await ask('POST', '/v1/stream', { cookie: admin, body: { ...draft, ...body } })
  expect(status).toBe(200)
  return String(Reflect.get(Object(made), 'uid'))
}
const streamOf = async ({ ask, admin }: Node, uid: string): Promise<unknown> =>
  (await ask('GET', `/v1/stream/${uid}`, { cookie: admin })).body
const warningsOf = async ({ ask }: Node, cookie?: string): Promise<unknown> =>
  Reflect.get(Object((await ask('GET', '/v1/system/health', { cookie })).body), 'warnings')

const two = async () => {
  const nodes = await openNodes()
  const a = await nodes.start('a')
  const b = await nodes.start('b')
  await nodes.beat()
  return { ...nodes, a, b }
}

describe.runIf(hasPostgres())('two nodes on one database', () => {
  test('record a stream once, hand it over at a keyframe where it is pinned, and show it alike', async () => {
    const { a, b, beat } = await two()
    const recorded = Promise.withResolvers<void>()
    a.site.segmentListeners.push(() => recorded.resolve())
    const uid = await addStream(a, { node: { id: 'a' } })
    await beat(2)
    await recorded.promise
    await beat()
    await b.site.reload()
    expect(await streamOf(b, uid)).toMatchObject({
      status: 'running',
      node: { id: 'a', available: true },
      video: { codec: expect.stringMatching(/^avc1/) },
    })
    expect([a.site.supervisor(uid), b.site.supervisor(uid)]).toEqual([expect.anything(), undefined])

    const moved = logged(b.site, uid, /^Recorded by node b, to which it is pinned$/)
    const stopped = logged(a.site, uid, /^Stopped$/)
    const body = { ...draft, node: { id: 'b' } }
    expect(await b.ask('PUT', `/v1/stream/${uid}`, { cookie: b.admin, body })).toMatchObject({ status: 200 })
    await beat(2)
    await moved
    const segment = segments(b.site, uid, 1)
    await beat(2)
    await stopped
    await segment
    await beat(2)
    for (const node of [a, b]) {
      expect(await streamOf(node, uid)).toMatchObject({ status: 'running', node: { id: 'b', available: true } })
    }
    expect((await a.ask('GET', '/v1/system/cluster/streams', { cookie: a.admin })).body).toMatchObject({
      items: [{ streamId: uid, nodeId: 'b', reason: 'pinned', pinnedNodeId: 'b', nextNodeId: '' }],
    })

    // What was read is sent back: nothing changes.
    await a.ask('PUT', `/v1/stream/${uid}`, { cookie: a.admin, body: { ...draft, node: { id: '' } } })
    expect(a.cluster.pinOf(uid)).toBeUndefined()
    await a.ask('PUT', `/v1/stream/${uid}`, { cookie: a.admin, body })
    expect(a.cluster.pinOf(uid)).toBeUndefined()
  })

  test('one that stops leaves its streams to the other, and one that is lost when its lease has ended', async () => {
    const { a, b, beat, wait, start, leave } = await two()
    const uid = await addStream(a, { node: { id: 'a' }, live: { onDemand: true } })
    await beat(2)
    expect(a.cluster.assignmentOf(uid)).toBe('holding')
    await leave(a)
    await beat()
    expect(b.cluster.assignmentOf(uid)).toBe('holding')
    await expect.poll(() => b.site.supervisor(uid)).toBeDefined()
    expect((await b.ask('GET', '/v1/system/health')).body).toMatchObject({ warnings: [] })

    const c = await start('c')
    await beat()
    await b.ask('PUT', `/v1/stream/${uid}`, { cookie: b.admin, body: { ...draft, node: { id: 'c' } } })
    await beat(2)
    expect(c.cluster.assignmentOf(uid)).toBe('holding')
    for (const ms of [5000, 5000, 3000]) {
      await wait(ms)
      await b.cluster.refresh()
    }
    expect(b.cluster.assignmentOf(uid)).toBe('holding')
    expect(await warningsOf(b)).toEqual([{ code: 'CLUSTER_NODE_LOST' }])
    expect(await warningsOf(b, b.admin)).toContainEqual({ code: 'CLUSTER_NODE_LOST', nodes: ['c'] })
    expect((await b.ask('GET', '/v1/system/cluster/node/c', { cookie: b.admin })).body).toMatchObject({
      id: 'c',
      address: 'http://c.example',
      available: false,
      lost: true,
    })
    expect((await b.ask('DELETE', '/v1/system/cluster/node/c', { cookie: b.admin })).status).toBe(200)
    expect((await b.ask('GET', '/v1/system/health')).body).toMatchObject({ warnings: [] })
    await c.cluster.refresh()
    expect(c.cluster.assignmentOf(uid)).toBeUndefined()
  })

  test('a drained one hands its streams over, and neither takes any nor is removed', async () => {
    const { a, b, beat } = await two()
    const uids = [await addStream(a, { live: { onDemand: true } }), await addStream(b, { live: { onDemand: true } })]
    await beat(2)
    const drain = (drained: boolean) =>
      a.ask('POST', '/v1/system/cluster/node/b/drain', { cookie: a.admin, body: { drained } })
    expect(await drain(true)).toMatchObject({ status: 200, body: { id: 'b', available: true, drained: true } })
    await beat(2)
    expect(uids.map((uid) => a.cluster.assignmentOf(uid))).toEqual(['holding', 'holding'])
    expect(await warningsOf(b)).toEqual([{ code: 'CLUSTER_NODE_DRAINED' }])
    expect(await warningsOf(b, b.admin)).toContainEqual({ code: 'CLUSTER_NODE_DRAINED', nodes: ['b'] })
    expect(await a.ask('DELETE', '/v1/system/cluster/node/b', { cookie: a.admin })).toMatchObject({
      status: 409,
      body: { message: 'This node is available: stop its server first' },
    })
    const move = { cookie: a.admin, body: { nodeId: 'b' } }
    expect(await a.ask('POST', `/v1/system/cluster/stream/${uids[0]}/move`, move)).toMatchObject({
      status: 400,
      body: { details: { nodeId: 'This node takes no streams now' } },
    })
    await drain(false)
    expect((await a.ask('GET', '/v1/system/internal/ui/nodes', { cookie: a.admin })).body).toEqual({
      items: [
        { id: 'a', name: 'a', available: true },
        { id: 'b', name: 'b', available: true },
      ],
    })
    await a.ask('POST', `/v1/system/cluster/stream/${uids[0]}/move`, move)
    await beat(2)
    expect(b.cluster.holderOf(uids[0] ?? '')).toMatchObject({ nodeId: 'b', reason: 'moved' })
  })

  test('list the same streams as available, whichever of them records one', async () => {
    const { a, b, beat } = await two()
    const uid = await addStream(a, { node: { id: 'a' }, live: { onDemand: true } })
    await beat(2)
    expect((await a.ask('POST', `/v1/stream/pause/${uid}`, { cookie: a.admin })).status).toBe(200)
    await b.site.reload()
    for (const { ask, admin: cookie } of [a, b])
      expect(await ask('GET', '/v1/streams?onlyAvailable=true', { cookie })).toMatchObject({ body: { total: 0 } })
  })

  test('a node is returned also by a node that has not yet heard that it was drained', async () => {
    const { a, b } = await two()
    const drain = (by: typeof a, drained: boolean) =>
      by.ask('POST', '/v1/system/cluster/node/b/drain', { cookie: by.admin, body: { drained } })
    await drain(a, true)
    expect(await drain(b, false)).toMatchObject({ status: 200, body: { id: 'b', drained: false } })
    await a.cluster.refresh()
    expect(a.cluster.isDrained('b')).toBe(false)
  })

  test('a node that another one has removed meanwhile is not found', async () => {
    const { a, b, start, leave, beat } = await two()
    const c = await start('c')
    await beat()
    await leave(c)
    await beat()
    const remove = ({ ask, admin: cookie }: Node) => ask('DELETE', '/v1/system/cluster/node/c', { cookie })
    expect([(await remove(b)).status, (await remove(a)).status]).toEqual([200, 404])
  })

  test('a node whose disk does not answer is listed with the others', async () => {
    const { a } = await two()
    rmSync(a.context.dataDir, { recursive: true })
    const { body } = await a.ask('GET', '/v1/system/cluster/nodes', { cookie: a.admin })
    const diskUsedPercent: unknown = expect.any(Number)
    expect(body).toMatchObject({
      items: [
        { id: 'a', diskUsedPercent },
        { id: 'b', diskUsedPercent },
      ],
    })
  })

  test('a removed stream stops on the node that records it', async () => {
    const { a, b, beat } = await two()
    const uid = await addStream(a, { node: { id: 'a' }, live: { onDemand: true } })
    await beat(2)
    await b.site.reload()
    await expect.poll(() => a.site.supervisor(uid), patience).toBeDefined()
    expect((await b.ask('DELETE', `/v1/stream/${uid}`, { cookie: b.admin })).status).toBe(200)
    await a.site.reload()
    expect(a.site.supervisor(uid)).toBeUndefined()
    await beat()
    expect(a.cluster.assignmentOf(uid)).toBeUndefined()
  })

  test('either takes a licence, probes, pauses and resumes a stream of the other, and shows its log', async () => {
    const { startListening, start, beat } = await openNodes()
    const a = await startListening('a')
    const b = await start('b')
    await beat()
    const uid = await addStream(a, { node: { id: 'a' }, live: { onDemand: true } })
    await beat(2)
    await b.site.reload()
    const bodyOf = async ({ ask, admin: cookie }: Node, path: string) => (await ask('GET', path, { cookie })).body

    const text = makeDemoLicense({ licensee: 'Depot', features: ['cluster'], issuedAt: 0, expiresAt: null })
    const put = { cookie: b.admin, body: { text } }
    expect((await b.ask('PUT', '/v1/system/license', put)).status).toBe(200)
    await expect.poll(() => a.context.license.current()?.licensee, patience).toBe('Depot')
    const licence = { expired: false, text: text.trim(), features: ['cluster'] }
    for (const node of [a, b]) expect(await bodyOf(node, '/v1/system/license')).toEqual(licence)

    const { nodeCalls } = b.context
    if (nodeCalls === undefined) throw new Error('no calls')
    const passedOn = vi.spyOn(nodeCalls, 'ask')
    const probe = `/v1/stream/probe?stream_id=${uid}`
    const found = await bodyOf(a, probe)
    expect(found).toMatchObject({ format: 'demo', tracks: [{ type: 'video', codec: 'h264' }] })
    expect(await bodyOf(b, probe)).toEqual(found)
    expect(passedOn).toHaveBeenCalledExactlyOnceWith('a', expect.objectContaining({ path: passedPath(probe) }))

    const recordedAs = () => a.site.supervisor(uid)?.status().status
    for (const [action, status] of [
      ['pause', 'paused'],
      ['resume', 'pending'],
    ] as const) {
      const answer = await b.ask('POST', `/v1/stream/${action}/${uid}`, { cookie: b.admin })
      expect(answer).toMatchObject({ status: 200, body: { status } })
      await expect.poll(recordedAs, patience).toBe(status)
    }

    await logged(a.site, uid, /^Recorded by node a/)
    const log = await bodyOf(a, `/v1/stream/${uid}/logs`)
    expect(await bodyOf(b, `/v1/stream/${uid}/logs`)).toEqual(log)
    expect(JSON.stringify(log)).toContain('Recorded by node a')
  })
})
