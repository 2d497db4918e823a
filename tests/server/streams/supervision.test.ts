import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Assignment } from '../../../server/cluster/cluster.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { schema } from '../../../server/schema.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import type { Site } from '../../../server/streams/site.ts'
import { createStreamStore } from '../../../server/streams/stream-store.ts'
import { createSupervision } from '../../../server/streams/supervision.ts'
import type { Supervisor } from '../../../server/streams/supervisor.ts'
import { patience } from '../../fixtures/patience.ts'
import { startServer } from '../fixtures/harness.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { row } from '../fixtures/paused-stream.ts'

/** A supervision whose first attempts to start a stream fail, as while the database is away. */
const failing = async (failures: number) => {
  const store = await createStreamStore(await memoryStore(schema))
  await store.create({ ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  let left = failures
  const create = vi.fn(async () => {
    left -= 1
    if (left >= 0) throw new StoreAway('it does not answer')
    return undefined
  })
  const onFailure = vi.fn()
  const supervision = createSupervision({
    cluster: {
      assignmentOf: () => 'holding',
      holderOf: () => undefined,
      tenureOf: () => undefined,
      takeOver: async () => false,
    },
    store,
    create,
    onFailure,
  })
  return { supervision, create, onFailure }
}

test('a stream that could not be started is tried again until it is', async () => {
  const { supervision, create, onFailure } = await failing(2)
  await supervision.follow('door')
  for (const attempts of [1, 2, 3, 3]) {
    expect(create).toHaveBeenCalledTimes(attempts)
    await vi.advanceTimersByTimeAsync(5000)
  }
  expect(onFailure).toHaveBeenCalledTimes(1)
})

test('nothing is tried again once all are stopped', async () => {
  const { supervision, create } = await failing(1)
  await supervision.follow('door')
  await supervision.stopAll()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(create).toHaveBeenCalledTimes(1)
})

test('a stream that another node has taken is stopped soon, also after its lease was lost and found again', async () => {
  const store = await createStreamStore(await memoryStore(schema))
  await store.create({ ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const stop = vi.fn(async () => undefined)
  const change = () => undefined
  const supervisor: Supervisor = Object.assign(Object.create(null), { isLive: () => true, change, stop })
  let assignment: Assignment | undefined
  const supervision = createSupervision({
    cluster: {
      assignmentOf: () => assignment,
      holderOf: () => ({ nodeId: 'b', epoch: 1, since: 0, reason: 'placed' }),
      tenureOf: () => assignment && { epoch: 1, since: 0, isValid: () => true },
      takeOver: async () => false,
    },
    store,
    create: async () => supervisor,
    onFailure: () => undefined,
  })
  for (const next of ['holding', undefined, 'holding'] as const) {
    assignment = next
    await supervision.follow('door')
  }
  await vi.advanceTimersByTimeAsync(5000)
  expect(stop).not.toHaveBeenCalled()
  assignment = undefined
  await supervision.follow('door')
  await vi.advanceTimersByTimeAsync(5000)
  expect(stop).toHaveBeenCalledTimes(1)
})

test('what can’t start is logged, and the rest starts', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const sites: Site[] = []
  const starts: Promise<void>[] = []
  const folders: string[] = []
  const watch: ServerPlugin = (_app, { dataDir }) => {
    folders.push(join(dataDir, 'exports'))
  }
  const streams = createStreamsPlugin({
    isMotionIndexed: true,
    onSite: (site) => sites.push(site),
    onAlerts: (alerts) => {
      alerts.start = () => Promise.reject(new StoreAway('it does not answer'))
    },
    onStart: (started) => {
      for (const folder of folders) rmSync(folder, { recursive: true })
      starts.push(started)
    },
  })
  const { context } = await startServer({ plugins: [watch, streams] })
  await Promise.all(starts)
  const errors = context.serverLog.read(undefined).filter(({ level }) => level === 'error')
  expect(errors.map(({ message }) => message).toSorted()).toEqual([
    'alerts not started (It is not tried again: The database is away: it does not answer)',
    expect.stringMatching(/^exports not started \(It is not tried again: ENOENT/),
  ])
  const [site] = sites
  if (site === undefined) throw new Error('no site')
  await site.add({ ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x' })
  const indexed = vi.spyOn(site.index, 'recording')
  vi.advanceTimersByTime(15_000)
  await expect.poll(() => indexed.mock.calls, patience).toContainEqual(['door'])
})
