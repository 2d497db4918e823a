import { expect, test, vi } from 'vitest'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createChunkIndexer } from '../../../server/archive/index/chunk-indexer.ts'
import { createSegmentIndex } from '../../../server/archive/index/segment-index.ts'
import { archiveSteps } from '../../../server/archive/repair/tables.ts'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { StoreError } from '../../../server/store/connection.ts'
import { sqliteStore } from '../fixtures/memory-store.ts'
import { oneVolume } from '../fixtures/one-volume.ts'
import { init } from '../fixtures/paused-stream.ts'
import { newFolder, t0, uid } from '../fixtures/tape.ts'

const opened = async () => {
  const index = createSegmentIndex(await sqliteStore(new Map([['archive', archiveSteps]])))
  const { recording } = await index.open(uid)
  const run = runOf(1, newRunKey(), init)
  const real = index.addChunk
  const adding = vi.spyOn(index, 'addChunk')
  const failures: unknown[] = []
  const clock = { now: 0 }
  const indexer = createChunkIndexer({
    index,
    volumes: oneVolume(newFolder()),
    onIndexed: () => undefined,
    onFailure: (_uid, error) => failures.push(error),
    now: () => clock.now,
  })
  const add = (second: number) => {
    const start = t0 + second * 1000
    const segment = { start, finish: start + 1000, duration: 1, mediaStart: second, bytes: 1, offset: 0 }
    const chunk = { start, finish: start + 1000, bytes: 1, volume: 0, table: packTable([segment], 1000) }
    indexer.add({ uid, recording, chunk, run })
    return indexer.settled()
  }
  const indexed = async () =>
    (await index.chunksIn(recording, t0, t0 + 3_600_000)).map(({ start }) => (start - t0) / 1000)
  return { indexer, real, adding, failures, clock, add, indexed }
}

test.each([
  ['full', 13],
  ['read-only', 8],
])('a database that is %s is tried with one chunk at a time, and not with each new one', async (_name, code) => {
  const { indexer, adding, failures, clock, add, indexed } = await opened()
  adding.mockRejectedValue(new StoreError('nothing can be written', code))
  for (let second = 0; second < 10; second += 1) await add(second)
  expect(failures).toHaveLength(1)
  clock.now += 5000
  await add(10)
  expect(failures).toHaveLength(2)
  await indexer.retry()
  expect(failures).toHaveLength(3)
  expect(indexer.isWaiting(uid, t0 + 4000)).toBe(true)

  adding.mockRestore()
  await indexer.retry()
  expect(await indexed()).toEqual(Array.from({ length: 11 }, (_, second) => second))
  expect([failures.length, indexer.isWaiting(uid, t0 + 4000)]).toEqual([3, false])
})

test('a chunk that alone can not be indexed keeps no other one from being', async () => {
  const { indexer, real, adding, add, indexed } = await opened()
  adding.mockImplementation(async (...given) => {
    if (given[2].start === t0) throw new StoreError('disk I/O error', 10)
    return real(...given)
  })
  for (let second = 0; second < 3; second += 1) await add(second)
  await indexer.retry()
  await indexer.retry()
  expect(await indexed()).toEqual([1, 2])
  expect(indexer.isWaiting(uid, t0)).toBe(true)
})
