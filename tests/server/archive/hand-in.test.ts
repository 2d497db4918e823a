import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createHandIn } from '../../../server/archive/index/hand-in.ts'
import { createSegmentIndex } from '../../../server/archive/index/segment-index.ts'
import { archiveSteps } from '../../../server/archive/repair/tables.ts'
import { createFolderStorage } from '../../../server/storage/folder-storage.ts'
import { chunkFile, streamFolder, writeWhole } from '../../../server/storage/folders.ts'
import { StoreAway, StoreError } from '../../../server/store/connection.ts'
import { sqliteStore } from '../fixtures/memory-store.ts'
import { oneVolume } from '../fixtures/one-volume.ts'
import { init } from '../fixtures/paused-stream.ts'
import { newFolder, t0, uid } from '../fixtures/tape.ts'
import { patience } from '../../fixtures/patience.ts'

const bucket = 1

/** A chunk on the disk, and a folder that stands for the bucket; `moveChunk` may fail at the first attempt. */
const opened = async (move: (real: () => Promise<boolean>) => Promise<boolean>) => {
  const dataDir = newFolder()
  const store = await sqliteStore(new Map([['archive', archiveSteps]]))
  const own = oneVolume(dataDir)
  const [folder] = own.all()
  if (folder === undefined) throw new Error('no folder')
  const storages = [own.storage(0), createFolderStorage(newFolder())]
  const clock = { now: t0 }
  const index = createSegmentIndex(store, { isMissing: () => false, leavesGarbage: (id) => id === bucket })
  const { recording } = await index.open(uid)
  const bytes = Buffer.from('a chunk')
  const path = join(streamFolder(dataDir, uid), chunkFile(t0))
  await writeWhole(path, [bytes])
  const segment = { start: t0, finish: t0 + 2000, duration: 2, mediaStart: 0, bytes: bytes.length, offset: 0 }
  const chunk = { start: t0, finish: t0 + 2000, bytes: bytes.length, volume: 0, table: packTable([segment], 1000) }
  await index.addChunk(uid, recording, chunk, runOf(1, newRunKey(), init))
  const real = index.moveChunk
  const moving = vi.spyOn(index, 'moveChunk')
  moving.mockImplementationOnce((...args) => move(() => real(...args)))
  const handIn = createHandIn({
    index,
    volumes: {
      ...own,
      all: () => [folder, { ...folder, id: bucket, isBucket: true }],
      bucket: () => bucket,
      storage: (id) => storages[id] ?? own.storage(id),
    },
    now: () => clock.now,
    warn: () => undefined,
  })
  const stopping = new AbortController()
  const done = handIn.run(stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await done
  })
  const countQueries = async (work: () => Promise<void>) => {
    const calls = [vi.spyOn(store, 'all'), vi.spyOn(store, 'get')]
    await work()
    return calls.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  }
  const volumeOf = async () => (await index.chunksIn(recording, t0, t0 + 1))[0]?.volume
  return { handIn, index, clock, path, countQueries, volumeOf }
}

test('a chunk whose row could not be moved on a full disk is tried again', async () => {
  const { handIn, volumeOf } = await opened(async () => {
    throw new StoreError('database or disk is full', 13)
  })
  await vi.waitUntil(() => handIn.counts().failed > 0, patience)
  expect(handIn.failure()).toBe('database or disk is full')
  await handIn.settled()
  expect([await volumeOf(), handIn.counts()]).toEqual([bucket, { handedIn: 1, failed: 1 }])
})

test('the copy on the disk of a chunk whose move was not answered goes after a while, too', async () => {
  const { handIn, clock, path, volumeOf } = await opened(async (real) => {
    await real()
    throw new StoreAway('the connection broke')
  })
  await handIn.settled()
  expect([await volumeOf(), existsSync(path), handIn.keepsCopy(uid, t0)]).toEqual([bucket, true, true])
  clock.now += 3_600_000
  await handIn.settled()
  await vi.waitUntil(() => !existsSync(path), patience)
})

test('what other nodes record costs no queries', async () => {
  const { handIn, index, countQueries } = await opened((real) => real())
  for (let count = 0; count < 300; count += 1) await index.open(`camera ${count}`)
  await handIn.settled()
  expect(await countQueries(handIn.settled)).toBeLessThan(30)
})
