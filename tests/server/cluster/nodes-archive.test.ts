import { existsSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { removeGarbage } from '../../../server/archive/index/garbage.ts'
import { deletePurged } from '../../../server/archive/index/purging.ts'
import { removeStored } from '../../../server/archive/index/removing.ts'
import { createLateChunks } from '../../../server/archive/repair/late-chunks.ts'
import { hoursInIndex, recoverStream, repairHour } from '../../../server/archive/repair/repair-files.ts'
import { chunkFile, hourFolder } from '../../../server/storage/folders.ts'
import { StorageAway } from '../../../server/storage/chunk-storage.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { passMonotonic } from '../fixtures/monotonic.ts'
import { archiveAt, openArchives } from '../fixtures/nodes-archives.ts'
import { t0, uid } from '../fixtures/tape.ts'

const { signal } = new AbortController()

test('each node records to its own folder, and reads that of another one through it', async () => {
  const { open, lease, site, chunks } = await openArchives()
  const [a, b] = [await open('a'), await open('b')]
  await lease('a', 1, 0)
  await a.record(0, 4, 1)
  await lease('b', 2, 4)
  await b.record(4, 8, 2)
  expect(await chunks()).toEqual(['0–4 on 1', '4–8 on 2'])
  await b.volumes.refresh()
  const [segment] = await b.index.within(uid, t0, t0 + 1000, 1)
  const range = { offset: segment?.offset ?? 0, bytes: segment?.bytes ?? 0 }
  const file = segment?.file ?? ''
  const storage = b.volumes.storage(1)
  await expect(storage.read(uid, file, range)).rejects.toBeInstanceOf(StorageAway)
  b.volumes.setNodeReader((node, { volume, ...of }, asked) => {
    expect([node, volume]).toEqual(['a', 1])
    return a.volumes.storage(volume).read(of.uid, of.file, asked)
  })
  expect(await storage.read(uid, file, range)).toHaveLength(range.bytes)

  site.away.add('a')
  site.leader = 'b'
  await b.volumes.refresh()
  await expect(storage.read(uid, file, range)).rejects.toBeInstanceOf(StorageAway)
  const all = [t0, t0 + 8000] as const
  expect(await b.index.recordedRanges(uid, ...all)).toEqual([{ from: t0 + 4000, to: t0 + 8000 }])
  site.away.clear()
  await a.volumes.refresh()
  expect(await b.index.recordedRanges(uid, ...all)).toEqual([{ from: t0, to: t0 + 8000 }])
})

test('what was recorded after the next node has the stream fills only times that nobody recorded, later', async () => {
  const { open, lease, site, chunks } = await openArchives()
  const [a, b] = [await open('a'), await open('b')]
  await lease('a', 1, 0)
  const sealed = await a.seal(0, 20)
  await lease('b', 2, 10)
  // The lease of that chunk is unknown, or lies two holders back.
  const older = await a.seal(30, 34)
  await a.record(20, 24, 1)
  await a.add(older, 0)
  expect(await chunks()).toEqual([])
  await a.add(sealed, 1)
  expect(await chunks()).toEqual(['0–10 on 1'])
  await b.record(14, 22, 2)
  await a.late.retry()
  expect(await chunks()).toEqual(['0–10 on 1', '14–22 on 2'])
  site.time += 180_000
  await a.late.retry()
  expect(await chunks()).toEqual(['0–10 on 1', '10–14 on 1', '14–22 on 2', '22–24 on 1', '30–34 on 1'])
  expect(await a.index.recordedRanges(uid, t0, t0 + 40_000)).toEqual([
    { from: t0, to: t0 + 24_000 },
    { from: t0 + 30_000, to: t0 + 34_000 },
  ])
  for (const segment of await a.index.within(uid, t0 + 10_000, t0 + 14_000, 9)) {
    const bytes = await a.volumes.storage(1).read(uid, segment.file, segment)
    expect(bytes.toString('latin1', 4, 8)).toBe('moof')
  }
  // What overlaps is trimmed even under the right lease, and what a crash left too.
  await b.record(20, 28, 2)
  expect((await chunks()).at(-2)).toBe('24–28 on 2')
  await a.seal(26, 30)
  await recoverStream(a.archive)
  expect((await chunks()).slice(-3)).toEqual(['24–28 on 2', '28–30 on 1', '30–34 on 1'])
})

test('a restarted node indexes what it recorded while it had the stream, and the rest later', async () => {
  const { open, lease, site, store, chunks } = await openArchives()
  const [a, b] = [await open('a'), await open('b')]
  await lease('a', 1, 0)
  await a.seal(0, 20)
  await lease('b', 2, 10)
  site.time += 30_000
  const restart = async () => {
    const { volumes } = await open('a')
    const archive = archiveAt(site, store, volumes)
    await archive.prepare(uid)
    return archive
  }
  await restart()
  expect(await chunks()).toEqual(['0–10 on 1'])
  // The rest, now a chunk without a journal, waits after another restart, too.
  const { settle } = await restart()
  await settle()
  await b.record(14, 18, 2)
  expect(await chunks()).toEqual(['0–10 on 1', '14–18 on 2'])
  passMonotonic(180_000)
  await settle()
  const filled = ['0–10 on 1', '10–14 on 1', '14–18 on 2', '18–20 on 1']
  expect(await chunks()).toEqual(filled)

  await a.seal(20, 24)
  site.time += 180_000
  await restart()
  expect(await chunks()).toEqual([...filled, '20–24 on 1'])
})

test('each node repairs the hours of its own disks', async () => {
  const { open, lease } = await openArchives()
  const [a, b] = [await open('a'), await open('b')]
  await lease('a', 1, 0)
  await a.record(0, 4, 1)
  const hoursOf = async ({ archive }: typeof a): Promise<string[]> => Array.fromAsync(hoursInIndex(archive))
  expect([await hoursOf(a), await hoursOf(b)]).toEqual([[hourFolder(t0)], []])
})

test('a late chunk whose commit was not answered keeps its file', async () => {
  const { open, lease, site, chunks } = await openArchives()
  const a = await open('a')
  await lease('a', 1, 0)
  const sealed = await a.seal(0, 4)
  await lease('b', 2, 0)
  await a.add(sealed, 1)
  site.time += 180_000
  vi.spyOn(site.store, 'transaction').mockImplementationOnce(async (work) => {
    await site.store.transaction(work)
    throw new StoreAway('the connection broke')
  })
  await expect(a.late.retry()).rejects.toBeInstanceOf(StoreAway)
  await a.late.retry()
  expect([await chunks(), existsSync(a.path(0)), a.late.isWaiting(uid, t0)]).toEqual([['0–4 on 1'], true, false])
})

/** A chunk that waits, as another node had the stream meanwhile, and is due; the failures of its node. */
const openLate = async ({ open, lease, site }: Awaited<ReturnType<typeof openArchives>>) => {
  const a = await open('a')
  const failures: unknown[] = []
  const storage = vi.fn<typeof a.volumes.storage>(a.volumes.storage)
  const late = createLateChunks({
    index: a.index,
    volumes: { ...a.volumes, storage },
    now: () => site.time,
    onIndexed: () => undefined,
    onFailure: (_uid, error) => failures.push(error),
  })
  await late.refuse(await a.seal(0, 4), { kind: 'late', since: -Infinity })
  await lease('b', 2, 0)
  site.time += 180_000
  return { a, late, storage, failures }
}

test('a late chunk that could not be read is left to the next repair', async () => {
  const archives = await openArchives()
  const { a, late, storage, failures } = await openLate(archives)
  const failure = new Error('read failed')
  storage.mockImplementationOnce(() => {
    throw failure
  })
  await late.retry()
  expect([failures, late.isWaiting(uid, t0)]).toEqual([[failure], false])
  await repairHour(a.archive, hourFolder(t0))
  expect(await archives.chunks()).toEqual(['0–4 on 1'])
})

test('a late chunk that is damaged is moved to lost+found', async () => {
  const archives = await openArchives()
  const { a, late, failures } = await openLate(archives)
  const file = a.path(0)
  truncateSync(file, 100)
  await late.retry()
  const aside = join(dirname(file), '..', 'lost+found', chunkFile(t0).replace('/', '-'))
  expect([existsSync(file), existsSync(aside), failures.length]).toEqual([false, true, 1])
  await late.retry()
  expect([late.isWaiting(uid, t0), await archives.chunks()]).toEqual([false, []])
})

test('chunks on the disk of another node become its garbage', async () => {
  const { store, open, lease, site, chunks } = await openArchives()
  const [a, b] = [await open('a'), await open('b')]
  await store.run(
    `INSERT INTO nodes (id, name, url, version, instance, beat_at, is_drained, facts)
     VALUES ('a', 'a', '', '', '', 0, 0, '{}'), ('b', 'b', '', '', '', 0, 0, '{}')`,
  )
  await lease('a', 1, 0)
  for (const second of [0, 4, 8]) await a.record(second, second + 4, 1)
  site.leader = 'b'
  await b.volumes.refresh()
  const recording = (await b.index.recording(uid))?.recording ?? 0
  await removeStored(b.index, b.volumes, await b.index.oldest(recording, t0 + 4000, 9))
  expect(await chunks()).toEqual(['4–8 on 1', '8–12 on 1'])
  await removeGarbage(b.index, b.volumes, signal)
  expect(existsSync(a.path(0))).toBe(true)
  await removeGarbage(a.index, a.volumes, signal)
  expect([0, 4, 8].map((second) => existsSync(a.path(second)))).toEqual([false, true, true])

  // All of a purged stream goes: its rows last, when no node has files any more.
  await b.index.markPurged(uid)
  await deletePurged(b.index, b.volumes, signal)
  expect([await chunks(), (await b.index.purged()).map((each) => each.uid)]).toEqual([[], [uid]])
  await removeGarbage(a.index, a.volumes, signal)
  expect(existsSync(a.path(4))).toBe(false)
  await deletePurged(b.index, b.volumes, signal)
  expect(await b.index.purged()).toEqual([])
})

test('the data folder of the server that recorded alone stays its first volume', async () => {
  const { open, chunks } = await openArchives()
  const alone = await open('a', false)
  await alone.record(0, 4, 0)
  await alone.volumes.stop()
  const b = await open('b')
  const a = await open('a')
  expect([a, b].map(({ volumes }) => volumes.folders().map(({ id }) => id))).toEqual([[0], [1]])
  await b.record(4, 8, 1)
  await recoverStream(b.archive)
  await recoverStream(a.archive)
  expect(await chunks()).toEqual(['0–4 on 0', '4–8 on 1'])

  // Without a cluster again: the rows of nodes stay.
  await open('c')
  const again = await open('a', false)
  expect(again.volumes.all().map(({ id, state }) => `${id} ${state}`)).toEqual(['0 there', '1 there', '2 there'])
})
