import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { chunkFile, streamFolder } from '../../../server/storage/folders.ts'
import { requireUnlocked, unlockedOldest } from '../../../server/archive/retention/locks.ts'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { subOf } from '../../../server/streams/substream.ts'
import { addPeople } from '../../../scripts/access-table.ts'
import { isInBucket } from '../fixtures/bucket.ts'
import { init, row } from '../fixtures/paused-stream.ts'
import { startVideo, type VideoHarness } from '../fixtures/video.ts'

const t0 = Date.parse('2026-11-21T07:00:00.000Z')
const later = t0 + 3_600_000
const at = (seconds: number) => new Date(t0 + seconds * 1000).toISOString()
/** Chunks of two seconds, of a hundred bytes each. */
const record = async ({ site, context }: VideoHarness, uid: string, count = 10): Promise<void> => {
  const { recording } = await site.index.open(uid)
  const run = runOf(site.runId(), newRunKey(), init)
  for (let position = 0; position < count; position += 1) {
    const start = t0 + position * 2000
    const path = join(streamFolder(context.dataDir, uid), chunkFile(start))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    const segment = { start, finish: start + 2000, duration: 2, mediaStart: position * 2, bytes: 100, offset: 0 }
    const chunk = { start, finish: segment.finish, bytes: 100, volume: 0, table: packTable([segment], 1000) }
    await site.index.addChunk(uid, recording, chunk, run)
  }
}

const open = async (change: { depthHours?: number; quotaBytes?: number } = {}) => {
  const clock = { now: later }
  const video = await startVideo({ now: () => clock.now })
  const { site, ask, admin, context } = video
  await site.add({ ...row, source: 'rtsp://192.0.2.1/x', uid: 'door', name: 'Door', ...change })
  await record(video, 'door')
  const lock = async (from: number, to: number, more: object = {}, cookie = admin) => {
    const body = { startTime: at(from), endTime: at(to), reason: 'Theft', ...more }
    const answer = await ask('POST', '/v1/stream/door/archive/locks', { cookie, body })
    return { status: answer.status, body: answer.body }
  }
  const sweep = async (free = () => 2e10, archiveMaxGb = -1) => {
    const disk = async () => ({ freeBytes: free(), totalBytes: 2e10 })
    const settings = { ...context.settings, archiveMaxGb }
    const retention = createRetention({ ...context, settings, now: () => clock.now }, site, disk)
    await retention.sweep()
    await retention.stop()
  }
  /** The seconds at which what is left begins. */
  const left = async (uid = 'door') =>
    (await site.index.within(uid, t0, later, 100)).map(({ start }) => (start - t0) / 1000)
  return { ...video, clock, lock, sweep, left }
}

test('what is locked is listed to administrators of the stream, with who locked it, until it is unlocked', async () => {
  const { ask, admin, lock, context } = await open()
  const { status, body } = await lock(3, 5, { reason: ' Theft ', expireTime: at(7200) })
  const locked = {
    id: expect.stringMatching(/^[\w-]{12}$/),
    startTime: at(3),
    endTime: at(5),
    reason: 'Theft',
    expireTime: at(7200),
    login: 'admin',
    createTime: new Date(later).toISOString(),
  }
  expect({ status, body }).toEqual({ status: 200, body: locked })
  const list = async () => (await ask('GET', '/v1/stream/door/archive/locks', { cookie: admin })).body
  expect(await list()).toEqual({ items: [locked] })
  const remove = async (id: string) =>
    (await ask('DELETE', `/v1/stream/door/archive/locks/${id}`, { cookie: admin })).status
  expect([await remove('nothing'), await remove(String(Object(body).id)), await list()]).toEqual([
    404,
    200,
    { items: [] },
  ])
  const log = await context.audit.read({ action: 'archive' }, 1)
  expect(log.items.map(({ action, target, outcome }) => [action, target, outcome])).toEqual([
    ['archive.unlock', 'door', 'ok'],
    ['archive.unlock', 'door', 'NotFound'],
    ['archive.lock', `door ${at(3)}/${at(5)}`, 'ok'],
  ])
})

test('only an administrator of the stream locks, with valid times and a reason', async () => {
  const { ask, lock, context } = await open()
  await addPeople(context)
  await context.store.run(
    `INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin)
     VALUES ('archive viewer', 'door', 1, 1, 0)`,
  )
  const { secret } = await context.sessions.open('archive viewer', { userAgent: '', ip: '127.0.0.1' })
  const cookie = `session=${secret}`
  expect((await lock(3, 5, {}, cookie)).status).toBe(403)
  expect((await ask('GET', '/v1/stream/door/archive/locks', { cookie })).status).toBe(403)
  const details = async (from: number, to: number, more = {}) => Object((await lock(from, to, more)).body).details
  expect(await details(5, 5)).toEqual({ endTime: 'Not after the start' })
  expect(await details(5, 3600 * 26)).toEqual({ endTime: 'In the future' })
  expect(await details(3, 5, { expireTime: at(0) })).toEqual({ expireTime: 'In the past' })
  expect(await details(3, 5, { reason: ' ' })).toEqual({ reason: 'Required' })
})

test('depth and quota leave a locked range until it is unlocked or the lock expires', async () => {
  const depth = await open({ depthHours: 0.5 })
  await depth.lock(3, 5, { expireTime: at(7200) })
  await depth.lock(12, 13)
  await depth.sweep()
  expect(await depth.left()).toEqual([2, 4, 12])
  depth.clock.now = t0 + 7_200_000
  await depth.sweep()
  expect(await depth.left()).toEqual([12])

  const quota = await open({ quotaBytes: 300 })
  await quota.lock(0, 9)
  await quota.sweep()
  expect(await quota.left()).toEqual([0, 2, 4, 6, 8])
})

test('depth leaves the annotations of a locked range, too', async () => {
  const { site, clock, lock, sweep } = await open({ depthHours: 0.5 })
  const { annotations } = site
  for (const [from, to] of [
    [0, 2],
    [1, 3],
    [4, 4],
    [1, 30],
    [6, 12],
    [7, 8],
    [14, 16],
  ] as const)
    await annotations.add('door', 'status', t0 + from * 1000, t0 + to * 1000)
  const left = async () => {
    const found = (await Array.fromAsync(annotations.within('door', t0, later))).flat()
    return found.map(({ time, timeEnd = time }) => [time, timeEnd].map((each) => (each - t0) / 1000))
  }
  await lock(3, 6, { expireTime: at(7200) })
  await lock(4, 5)
  await lock(11, 13)
  await sweep()
  expect(await left()).toEqual([
    [1, 3],
    [1, 30],
    [4, 4],
    [6, 12],
  ])
  clock.now = t0 + 7_200_000
  await sweep()
  expect(await left()).toEqual([
    [1, 30],
    [4, 4],
    [6, 12],
  ])
})

test('locks that fill a quota leave the last half hour, and health names the stream', async () => {
  const { clock, lock, left, context, site } = await open({ quotaBytes: 500 })
  await lock(0, 9)
  clock.now = t0 + 30 * 60_000 + 15_000
  const retention = createRetention({ ...context, now: () => clock.now }, site, async () => ({
    freeBytes: 2e10,
    totalBytes: 2e10,
  }))
  await retention.sweep()
  expect([await left(), retention.warnings()]).toEqual([
    [0, 2, 4, 6, 8, 14, 16, 18],
    [{ code: 'QUOTA_FULL_OF_LOCKED', volumes: [{ path: 'Door', bytes: 500 }], isOfSite: true, isPrivate: true }],
  ])
  await site.change('door', (before) => ({ ...before, quotaBytes: 600 }))
  await retention.sweep()
  expect([await left(), retention.warnings()]).toEqual([[0, 2, 4, 6, 8, 18], []])
  await retention.stop()
})

test('nor does the size of the archive delete the last half hour if locks fill it', async () => {
  const { clock, lock, sweep, left } = await open()
  await lock(0, 9)
  clock.now = t0 + 30 * 60_000 + 15_000
  await sweep(undefined, 550 / 1e9)
  expect(await left()).toEqual([0, 2, 4, 6, 8, 14, 16, 18])
  await sweep(undefined, 650 / 1e9)
  expect(await left()).toEqual([0, 2, 4, 6, 8, 18])
})

test('a stream that is locked leaves the size of the archive to the others', async () => {
  const video = await open()
  const { site, lock, sweep, left } = video
  await site.add({ ...row, source: 'rtsp://192.0.2.2/x', uid: 'gate', name: 'Gate' })
  await record(video, 'gate', 8)
  await lock(0, 20)
  await sweep(undefined, 1300 / 1e9)
  expect([(await left()).length, await left('gate')]).toEqual([10, [10, 12, 14]])
  await sweep(undefined, 1100 / 1e9)
  expect([(await left()).length, await left('gate')]).toEqual([10, [14]])
})

test('the stream that is deleted from first is the largest that is not locked as a whole', async () => {
  const video = await open()
  const { site, lock, sweep, left, ask, admin } = video
  await site.add({ ...row, source: 'rtsp://192.0.2.2/x', uid: 'gate', name: 'Gate' })
  await record(video, 'gate', 8)
  /** Of all, and of the volume that has them. */
  const first = async (): Promise<unknown[]> => {
    const { first: ofAll, volumes } = Object((await ask('GET', '/v1/admin/retention', { cookie: admin })).body)
    return [ofAll, volumes[0].first]
  }
  await lock(0, 18)
  expect(await first()).toEqual(['door', 'door'])
  await lock(18, 20)
  expect(await first()).toEqual(['gate', 'gate'])
  await sweep(undefined, 1700 / 1e9)
  expect([(await left()).length, (await left('gate')).length]).toEqual([10, 7])
})

test('locked recordings are measured once an hour, and when the locks change', async () => {
  const { clock, lock, context, site } = await open({ quotaBytes: 800 })
  await lock(0, 4)
  const retention = createRetention({ ...context, now: () => clock.now }, site, async () => ({
    freeBytes: 2e10,
    totalBytes: 2e10,
  }))
  const measuring = vi.spyOn(site.index, 'bytesWithin')
  const timesInSweep = async (): Promise<number> => {
    measuring.mockClear()
    await retention.sweep()
    return measuring.mock.calls.length
  }
  expect([await timesInSweep(), await timesInSweep()]).toEqual([1, 0])
  await lock(6, 8)
  expect(await timesInSweep()).toBeGreaterThan(0)
  clock.now += 3_600_000
  expect([await timesInSweep(), await timesInSweep()]).toEqual([1, 0])
  await retention.stop()
})

test('a range that is locked while a sweep is about to delete it stays', async () => {
  const video = await open({ depthHours: 0.5 })
  const { site, lock, sweep, left } = video
  const { oldest } = site.index
  vi.spyOn(site.index, 'oldest').mockImplementationOnce(async (...asked) => {
    const found = await oldest(...asked)
    expect((await lock(3, 5)).status).toBe(200)
    return found
  })
  await sweep()
  expect(await left()).toEqual([2, 4])
})

test.skipIf(isInBucket)('a short disk leaves it', async () => {
  const disk = await open()
  await disk.lock(0, 4)
  await disk.sweep(() => 0)
  expect(await disk.left()).toEqual([0, 2])
})

test('a lock holds for the substream, too', async () => {
  const video = await open({ depthHours: 0.5 })
  await record(video, subOf('door'))
  await video.lock(3, 4)
  await video.sweep()
  expect([await video.left(), await video.left(subOf('door'))]).toEqual([[2], [2]])
})

test('a stream with locks is purged only with unlock; without purge the locks outlive it', async () => {
  const video = await open({ depthHours: 0.5 })
  const { ask, admin, lock, sweep, left, site } = video
  await lock(3, 5)
  const details = { locks: [{ reason: 'Theft', startTime: at(3), endTime: at(5) }] }
  const remove = async (url: string) => {
    const { status, body } = await ask('DELETE', url, { cookie: admin })
    return [status, Object(body).code, Object(body).details]
  }
  expect(await remove('/v1/stream/door?purge=true')).toEqual([409, 'ActionNotAcceptable', details])
  expect(await remove('/v1/stream/door')).toEqual([200, undefined, undefined])
  await sweep()
  expect(await left()).toEqual([2, 4])
  expect(await remove('/v1/admin/recordings/door')).toEqual([409, 'ActionNotAcceptable', details])
  expect(await remove('/v1/admin/recordings/door?unlock=true')).toEqual([200, undefined, undefined])
  expect(await site.locks.of('door')).toEqual([])
})

test('a range that is locked while the stream stops keeps the recordings', async () => {
  const { lock, left, site } = await open({ depthHours: 0.5 })
  const before = await left()
  const check = async (): Promise<void> => {
    await lock(3, 5)
    await requireUnlocked(site, 'door')
  }
  await expect(site.remove('door', true, check)).rejects.toMatchObject({ status: 409 })
  expect([site.store.find('door')?.uid, await left()]).toEqual(['door', before])
})

test('the oldest chunks after a lock are found with two queries, however long the lock is', async () => {
  const pieces = Array.from({ length: 1000 }, (_, start) => ({ start, finish: start + 1 }))
  const asked: number[] = []
  const oldest = await unlockedOldest([{ from: 0, to: 900 }], 10, async (from) => {
    asked.push(from)
    return pieces.filter(({ start }) => start >= from).slice(0, 10)
  })
  expect(oldest.map(({ start }) => start)).toEqual([900, 901, 902, 903, 904, 905, 906, 907, 908, 909])
  expect(asked).toEqual([Number.MIN_SAFE_INTEGER, 900])
})
