import { existsSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ClusterMember } from '../../../server/cluster/cluster.ts'
import { createExportStore } from '../../../server/exports/export-store.ts'
import { createExportQueue } from '../../../server/exports/queue.ts'
import { readSigningKey } from '../../../server/exports/signing-key.ts'
import { createChanges } from '../../../server/store/changes.ts'
import { StorageAway } from '../../../server/storage/chunk-storage.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import type { Site } from '../../../server/streams/site.ts'
import { patience } from '../../fixtures/patience.ts'
import { add, newFolder, open, record, t0, uid } from '../fixtures/tape.ts'

/** The exports of several nodes on one archive, which a test says to be away or removed. */
const site = async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 10)
  const { store, settings, log } = video.context
  const state = {
    leader: 'b',
    away: new Set<string>(),
    nodes: ['a', 'b'],
    now: 1000,
    holder: undefined as string | undefined,
  }
  const changes = createChanges()
  const memberOf = (id: string): ClusterMember => ({
    id,
    name: id,
    url: '',
    version: '',
    isAvailable: !state.away.has(id),
    isLost: state.away.has(id),
    isDrained: false,
    lastBeatAt: 0,
    facts: {},
  })
  const node = (nodeId: string, read: Site['read'] = video.site.read) => {
    const dataDir = newFolder()
    const cluster = {
      isShared: true,
      nodeId,
      isLeader: () => state.leader === nodeId,
      isAvailable: (id: string) => state.nodes.includes(id) && !state.away.has(id),
      nodes: () => state.nodes.map(memberOf),
      tenureOf: () => undefined,
      holderOf: () => ({ nodeId: state.holder ?? nodeId, epoch: 1, since: 0, reason: 'placed' as const }),
      factSources: [],
    }
    const exports = createExportStore(store, nodeId)
    const context = { dataDir, settings, cluster, changes, now: () => state.now, log }
    const options = { makeSpace: async () => undefined, retryMs: 1 }
    const queue = createExportQueue(context, { ...video.site, read }, exports, readSigningKey(dataDir), options)
    onTestFinished(queue.stop)
    const request = async (): Promise<string> => {
      const items = [{ uid, name: 'door', start: t0, finish: t0 + 6000, masks: [] }]
      return exports.add({ login: 'admin', note: '', overlay: false, timezone: 'UTC', created: 1, items })
    }
    return { queue, exports, request, read, hasFile: (id: string) => existsSync(queue.pathOf(id)) }
  }
  return { store, state, changes, node }
}

test('the leader makes the exports of a lost node, which no longer makes them when it is back', async () => {
  const { state, changes, node } = await site()
  const reading = Promise.withResolvers<void>()
  const never: Site['read'] = (_uid, _segment, { signal } = {}) => {
    reading.resolve()
    const { promise, reject } = Promise.withResolvers<Buffer>()
    signal?.addEventListener('abort', () => reject(signal.reason))
    return promise
  }
  const [a, b] = [node('a', never), node('b')]
  const id = await a.request()
  await a.queue.start()
  await reading.promise
  await b.queue.sweep()
  expect(await b.exports.find(id)).toMatchObject({ node: 'a', status: 'running' })

  state.away.add('a')
  await b.queue.sweep()
  await expect.poll(() => b.exports.find(id)).toMatchObject({ node: 'b', status: 'ready' })
  expect([a.hasFile(id), b.hasFile(id)]).toEqual([false, true])
  state.away.clear()
  changes.note('exports')
  await expect.poll(() => a.queue.progressOf(id)).toBeUndefined()
  expect(await a.exports.markReady(id, 1, 'x', 1)).toBe(false)
  expect(await a.exports.markRunning(id)).toBe(false)
  await a.exports.markFailed(id, 'DISK_FULL', 1)
  expect(await b.exports.find(id)).toMatchObject({ node: 'b', status: 'ready' })
})

test('an export that is made while the database is away begins again once it is back', async () => {
  const { node } = await site()
  const away = async (): Promise<never> => {
    throw new StoreAway('the connection broke')
  }
  const a = node('a')
  const runs = vi.spyOn(a.exports, 'markRunning').mockImplementationOnce(away)
  vi.spyOn(a.exports, 'markReady').mockImplementationOnce(away)
  vi.spyOn(a.exports, 'markFailed').mockImplementation(away)
  const id = await a.request()
  await a.queue.start()
  await expect.poll(() => a.exports.find(id)).toMatchObject({ status: 'ready' })
  expect([runs.mock.calls.length, a.hasFile(id)]).toEqual([3, true])
})

test('an export that fails while the database is away has failed once it is back', async () => {
  const { node } = await site()
  const a = node('a', async () => {
    throw new Error('The file is gone')
  })
  const marks = vi.spyOn(a.exports, 'markFailed').mockImplementationOnce(async () => {
    throw new StoreAway('the connection broke')
  })
  const id = await a.request()
  await a.queue.start()
  await expect.poll(() => a.exports.find(id), patience).toMatchObject({ status: 'failed', reason: 'RECORDINGS_GONE' })
  expect(marks).toHaveBeenCalledTimes(2)
})

test('files of exports that are gone, or another node has, are deleted; the leader removes expired ones', async () => {
  const { state, changes, node } = await site()
  const [a, b] = [node('a'), node('b')]
  const id = await a.request()
  await a.queue.start()
  await expect.poll(() => a.exports.find(id)).toMatchObject({ status: 'ready' })
  writeFileSync(a.queue.pathOf('gone'), '')
  writeFileSync(b.queue.pathOf(id), '')
  changes.note('exports')
  await expect.poll(() => [a.hasFile('gone'), b.hasFile(id), a.hasFile(id)]).toEqual([false, false, true])

  // Its own node deletes it, while it is there.
  state.now += 365 * 86_400_000
  await b.queue.sweep()
  expect(a.hasFile(id)).toBe(true)
  state.away.add('a')
  await b.queue.sweep()
  expect(await b.exports.find(id)).toBeUndefined()
  changes.note('exports')
  await expect.poll(() => a.hasFile(id)).toBe(false)
})

test('those of a node that was removed are made again, those of a node that is away wait for it', async () => {
  const { state, node } = await site()
  const [a, b] = [node('a'), node('b')]
  const id = await a.request()
  await a.queue.start()
  await expect.poll(() => a.exports.find(id)).toMatchObject({ status: 'ready' })
  state.away.add('a')
  await b.queue.sweep()
  expect(await b.exports.find(id)).toMatchObject({ node: 'a', status: 'ready' })
  state.nodes = ['b']
  await b.queue.sweep()
  await expect.poll(() => b.exports.find(id)).toMatchObject({ node: 'b', status: 'ready' })
  expect(b.hasFile(id)).toBe(true)
})

test('an export that was taken over from a removed node takes no space until it is made again', async () => {
  const { node } = await site()
  const [a, b] = [node('a'), node('b')]
  const id = await a.request()
  await a.exports.markReady(id, 1000, 'x', 1)
  expect(await b.exports.usedBytes()).toBe(1000)
  await b.exports.takeOver('a', true)
  expect(await b.exports.find(id)).toMatchObject({ node: 'b', status: 'queued', bytes: 0 })
  expect(await b.exports.usedBytes()).toBe(0)
})

test('an export waits until the node that records the stream has indexed what is newest', async () => {
  const { state, node } = await site()
  state.now = t0 + 6000
  const a = node('a')
  state.holder = 'b'
  const waiting = await a.request()
  await a.queue.start()
  state.now += 3 * 60_000
  const other = await a.request()
  await a.queue.sweep()
  await expect.poll(() => a.exports.find(other), patience).toMatchObject({ status: 'ready' })
  expect(await a.exports.find(waiting)).toMatchObject({ status: 'queued' })
})

test('an export that was requested before the queue starts is made once, and its file stays', async () => {
  const { node } = await site()
  const held = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const tape = node('b')
  const a = node('a', async (...request) => {
    began.resolve()
    await held.promise
    return tape.read(...request)
  })
  const runs = vi.spyOn(a.exports, 'markRunning')
  const id = await a.request()
  const entry = await a.exports.find(id)
  if (entry === undefined) throw new Error('no export')
  a.queue.add(entry)
  await began.promise
  await a.queue.start()
  held.resolve()
  await expect.poll(() => a.exports.find(id), patience).toMatchObject({ status: 'ready' })
  expect([runs.mock.calls.length, a.hasFile(id)]).toEqual([1, true])
})

test('an export whose recordings are away lets others go first, and is made once they are back', async () => {
  const { node } = await site()
  const state = { isAway: true, reads: 0 }
  const tape = node('b')
  const a = node('a', async (...request) => {
    state.reads += 1
    if (state.isAway && state.reads <= 60) throw new StorageAway('the bucket is away')
    return tape.read(...request)
  })
  const ids = [await a.request(), await a.request()]
  await a.queue.start()
  const statuses = async () => (await Promise.all(ids.map(a.exports.find))).map((entry) => entry?.status)
  await expect.poll(statuses, patience).toEqual(['ready', 'ready'])
  expect(state.reads).toBeGreaterThan(60)
})
