import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createHandIn } from '../../../server/archive/index/hand-in.ts'
import { createSegmentIndex } from '../../../server/archive/index/segment-index.ts'
import { archiveSteps } from '../../../server/archive/repair/tables.ts'
import { OtherChunk, StorageAway } from '../../../server/storage/chunk-storage.ts'
import { createFolderStorage } from '../../../server/storage/folder-storage.ts'
import { chunkFile, streamFolder } from '../../../server/storage/folders.ts'
import { StoreAway, StoreError } from '../../../server/store/connection.ts'
import { sqliteStore } from '../fixtures/memory-store.ts'
import { oneVolume } from '../fixtures/one-volume.ts'
import { init } from '../fixtures/paused-stream.ts'
import { newFolder, t0, uid } from '../fixtures/tape.ts'
import { patience } from '../../fixtures/patience.ts'

const [bucket, second] = [1, 2]

/**
 * Chunks on two disks, one after another, and a folder that stands for the bucket; `moveChunk` may fail at the first
 * attempt. `volumesOf`: the disk of each chunk.
 */
const opened = async (move: (real: () => Promise<boolean>) => Promise<boolean>, volumesOf: readonly number[] = [0]) => {
  const dataDir = newFolder()
  const store = await sqliteStore(new Map([['archive', archiveSteps]]))
  const own = oneVolume(dataDir)
  const [folder] = own.all()
  if (folder === undefined) throw new Error('no folder')
  const storages = [own.storage(0), createFolderStorage(newFolder()), createFolderStorage(newFolder())]
  const storage = (id: number) => storages[id] ?? own.storage(id)
  const clock = { now: t0 }
  const index = createSegmentIndex(store, { isMissing: () => false, leavesGarbage: (id) => id === bucket })
  const { recording } = await index.open(uid)
  const bytes = Buffer.from('a chunk')
  const path = join(streamFolder(dataDir, uid), chunkFile(t0))
  const run = runOf(1, newRunKey(), init)
  const starts = volumesOf.map((_volume, number) => t0 + number * 2000)
  for (const [number, start] of starts.entries()) {
    const volume = volumesOf[number] ?? 0
    await storage(volume).put(uid, chunkFile(start), bytes)
    const [finish, mediaStart] = [start + 2000, number * 2000]
    const segment = { start, finish, duration: 2, mediaStart, bytes: bytes.length, offset: 0 }
    const chunk = { start, finish, bytes: bytes.length, volume, table: packTable([segment], 1000) }
    await index.addChunk(uid, recording, chunk, run)
  }
  const real = index.moveChunk
  const moving = vi.spyOn(index, 'moveChunk')
  moving.mockImplementationOnce((...args) => move(() => real(...args)))
  const handIn = createHandIn({
    index,
    volumes: {
      ...own,
      all: () => [folder, { ...folder, id: second }, { ...folder, id: bucket, isBucket: true }],
      folders: () => [folder, { ...folder, id: second }],
      bucket: () => bucket,
      collectsGarbage: (id) => id === second,
      storage,
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
  /** The chunks whose copies are kept, and those whose files are on the disks, by number. */
  const kept = () => starts.flatMap((start, number) => (handIn.keepsCopy(uid, start) ? [number] : []))
  const onDisk = async () => {
    const sizes = starts.map((start, number) => storage(volumesOf[number] ?? 0).sizeOf(uid, chunkFile(start)))
    return (await Promise.all(sizes)).flatMap((size, number) => (size === undefined ? [] : [number]))
  }
  return {
    handIn,
    index,
    recording,
    clock,
    path,
    starts,
    storage,
    stopping,
    done,
    countQueries,
    volumeOf,
    kept,
    onDisk,
  }
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

test('a disk that hangs is called once a round, and its copies go once it answers', async () => {
  const { handIn, clock, starts, storage, kept, onDisk } = await opened((real) => real(), [second, second, second, 0])
  await handIn.settled()
  expect([kept(), await onDisk()]).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2, 3],
  ])
  const removing = vi.spyOn(storage(second), 'remove').mockRejectedValue(new StorageAway('The disk hangs'))
  clock.now += 3_600_000
  await handIn.settled()
  await vi.waitUntil(async () => !(await onDisk()).includes(3), patience)
  expect(removing.mock.calls).toEqual([[uid, [chunkFile(starts[0] ?? 0)]]])
  expect([kept(), await onDisk()]).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ])
  removing.mockRestore()
  await handIn.settled()
  await vi.waitUntil(async () => (await onDisk()).length === 0, patience)
})

test('the end of handing in does not wait for the copies that are left', async () => {
  const { handIn, clock, storage, stopping, done, kept, onDisk } = await opened((real) => real(), [0, 0, 0])
  await handIn.settled()
  const real = storage(0).remove
  vi.spyOn(storage(0), 'remove').mockImplementation(async (...args) => {
    await real(...args)
    stopping.abort()
  })
  clock.now += 3_600_000
  await handIn.settled()
  await done
  expect(await onDisk()).toEqual([1, 2])
  expect(kept()).toEqual(expect.arrayContaining([1, 2]))
})

test('a chunk that could not be handed in is tried again an hour later', async () => {
  const { handIn, clock, volumeOf } = await opened(async () => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  })
  await handIn.settled()
  expect([await volumeOf(), handIn.counts()]).toEqual([0, { handedIn: 0, failed: 1 }])
  clock.now += 3_599_999
  await handIn.settled()
  expect(await volumeOf()).toBe(0)
  clock.now += 1
  await handIn.settled()
  expect([await volumeOf(), handIn.counts(), handIn.conflicts()]).toEqual([bucket, { handedIn: 1, failed: 1 }, []])
})

test('a chunk whose name another object has is not tried again', async () => {
  const { handIn, clock, volumeOf } = await opened(async () => {
    throw new OtherChunk('another chunk has this name')
  })
  await handIn.settled()
  clock.now += 86_400_000
  await handIn.settled()
  expect([await volumeOf(), handIn.counts(), handIn.conflicts()]).toEqual([
    0,
    { handedIn: 0, failed: 1 },
    [`${uid}/${chunkFile(t0)}`],
  ])
})

test('a chunk whose name another object has is no conflict once it is deleted', async () => {
  const { handIn, index, recording, clock } = await opened(async () => {
    throw new OtherChunk('another chunk has this name')
  })
  await handIn.settled()
  await index.removeChunk(recording, t0)
  clock.now += 3_600_000
  await handIn.settled()
  expect([handIn.conflicts(), handIn.counts()]).toEqual([[], { handedIn: 0, failed: 1 }])
})

test('a chunk that its disk does not read in time keeps no other from the bucket, and is tried again', async () => {
  const { handIn, clock, storage, kept } = await opened((real) => real(), [0, 0, second])
  const reading = vi.spyOn(storage(0), 'read').mockRejectedValueOnce(new StorageAway('The disk does not answer'))
  await handIn.settled()
  expect([kept(), handIn.counts(), handIn.failure()]).toEqual([[1, 2], { handedIn: 2, failed: 1 }, undefined])
  expect(reading).toHaveBeenCalledTimes(2)
  clock.now += 299_999
  await handIn.settled()
  expect(reading).toHaveBeenCalledTimes(2)
  clock.now += 1
  await handIn.settled()
  expect(handIn.counts()).toEqual({ handedIn: 3, failed: 1 })
})

test('garbage on the disks is removed, too, while the bucket is away', async () => {
  const { handIn, index, starts, storage, onDisk } = await opened((real) => real(), [0, second])
  vi.spyOn(storage(bucket), 'put').mockRejectedValue(new StorageAway('The bucket is away'))
  await index.garbage.add(second, [{ uid, start: starts[1] ?? 0 }])
  await vi.waitUntil(async () => !(await onDisk()).includes(1), patience)
  expect(handIn.failure()).toBe('The bucket is away')
})

test('what other nodes record costs no queries', async () => {
  const { handIn, index, countQueries } = await opened((real) => real())
  for (let count = 0; count < 300; count += 1) await index.open(`camera ${count}`)
  await handIn.settled()
  expect(await countQueries(handIn.settled)).toBeLessThan(30)
})
