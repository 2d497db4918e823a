import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { mostOverShare } from '../../../server/archive/retention/fair-share.ts'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { archiveFolder, chunkFile, streamFolder } from '../../../server/storage/folders.ts'
import { reserveOf } from '../../../server/storage/volume-files.ts'
import { createRateCap } from '../../../server/archive/recorder/rate-cap.ts'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import { createSpaceWatch } from '../../../server/archive/retention/space-watch.ts'
import type { Total } from '../../../server/archive/index/recordings.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createSpaceCheck } from '../../../server/exports/space-check.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { subOf } from '../../../server/streams/substream.ts'
import { isInBucket } from '../fixtures/bucket.ts'
import { isOnFile } from '../fixtures/database.ts'
import { init, row } from '../fixtures/paused-stream.ts'
import { segments, startVideo, type VideoHarness } from '../fixtures/video.ts'

const t0 = Date.parse('2026-11-21T07:00:00.000Z')

const there = { isListed: true, isBucket: false, state: 'there' as const, freeBytes: 0, totalBytes: 0, device: 0 }

/** A paused stream with so many chunks of two seconds, each of so many bytes by its row. */
const record = async (
  { site, context }: VideoHarness,
  uid: string,
  count: number,
  bytes: number,
  change: { owner?: string; depthHours?: number; quotaBytes?: number } = {},
) => {
  await site.add({ ...row, uid, name: `name of ${uid}`, source: 'rtsp://192.0.2.1/x', ...change })
  await addChunks({ site, context }, uid, count, bytes)
}

/** So many chunks of two seconds, each of so many bytes by its row. */
const addChunks = async (
  { site, context }: Pick<VideoHarness, 'site' | 'context'>,
  uid: string,
  count: number,
  bytes: number,
  first = t0,
) => {
  const { recording } = await site.index.open(uid)
  const run = runOf(site.runId(), newRunKey(), init)
  for (let position = 0; position < count; position += 1) {
    const start = first + position * 2000
    const path = join(streamFolder(context.dataDir, uid), chunkFile(start))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    const segment = { start, finish: start + 2000, duration: 2, mediaStart: position * 2, bytes, offset: 0 }
    const chunk = { start, finish: segment.finish, bytes, volume: 0, table: packTable([segment], 1000) }
    await site.index.addChunk(uid, recording, chunk, run)
  }
}

const sweep = async (
  { context, site }: VideoHarness,
  change: { now?: number; free?: () => number | Promise<number> } = {},
): Promise<void> => {
  const { now = t0 + 60_000, free = () => 2e10 } = change
  const retention = createRetention({ ...context, now: () => now }, site, async () => ({
    freeBytes: await free(),
    totalBytes: 2e10,
  }))
  await retention.sweep()
  await retention.stop()
}

const bytesOf = async ({ site: { index } }: VideoHarness): Promise<Record<string, number>> =>
  Object.fromEntries((await index.totals()).map(({ uid, bytes }) => [uid, bytes]))

describe('where the disk is short', () => {
  const total = (uid: string, bytes: number, owner: string | null = null, isOfAdministrator = false): Total => ({
    recording: 1,
    uid,
    bytes,
    owner,
    isOfAdministrator,
  })
  test.each<[string, Total[], string | undefined]>([
    ['nothing is recorded', [], undefined],
    ['nothing is left of what was', [total('a', 0)], undefined],
    ['the stream that holds most', [total('a', 5), total('b', 9), total('c', 7)], 'b'],
    [
      'one stream of a user counts as one of the site',
      [total('a', 6), total('b', 5, 'ann', true), total('c', 7, 'eve')],
      'c',
    ],
    ['a user with more than their streams weigh', [total('a', 50), total('b', 9, 'eve'), total('c', 52, 'eve')], 'c'],
    [
      'not a user with few large ones, where the site holds more for its own',
      [total('a', 90), total('b', 50, 'eve'), total('c', 30)],
      'a',
    ],
    [
      'many streams of a user weigh no more than all of the site',
      [total('a', 50), total('b', 60), ...Array.from({ length: 8 }, (_, position) => total(`e${position}`, 15, 'Eve'))],
      'e0',
    ],
    ['a login is the same however it is written', [total('a', 10), total('b', 6, 'Eve'), total('c', 7, 'eve')], 'c'],
    ['users alone are equal', [total('a', 6, 'ann'), total('b', 6, 'ann'), total('c', 10, 'bob')], 'a'],
  ])('%s', (_name, totals, expected) => {
    expect(mostOverShare(totals)?.uid).toBe(expected)
  })

  test('one stream does not displace the recordings of others, and each owner loses their own oldest', async () => {
    const video = await startVideo()
    await video.addUser('eve')
    await record(video, 'door', 300, 1000)
    await record(video, 'yard', 300, 1000)
    await record(video, 'flood', 1000, 10_000, { owner: 'eve' })
    const before = await bytesOf(video)
    const wanted = 5_000_000
    const sum = async () => Object.values(await bytesOf(video)).reduce((all, bytes) => all + bytes, 0)
    await sweep(video, { free: async () => ((await sum()) > wanted ? 0 : 2e10) })
    expect(await bytesOf(video)).toEqual({ ...before, flood: 4_400_000 })
    expect(await video.site.index.period('flood')).toEqual({ startTime: t0 + 560 * 2000, endTime: t0 + 2_000_000 })
    expect((await video.site.logs.read('flood', undefined)).at(-1)?.message).toMatch(/disk is nearly full/)
    const first = join(streamFolder(video.context.dataDir, 'flood'), chunkFile(t0))
    expect(existsSync(first)).toBe(false)
  })
})

test('what is past its depth is deleted first, which may be enough', async () => {
  const video = await startVideo()
  await record(video, 'door', 10, 1000)
  await record(video, 'yard', 5, 1000, { depthHours: 1 })
  const free = async () => ((await bytesOf(video))['yard'] === 0 ? 2e10 : 0)
  await sweep(video, { now: t0 + 7_200_000, free })
  expect(await bytesOf(video)).toEqual({ door: 10_000, yard: 0 })
})

test('a disk whose file system frees space later loses no more than it was short', async () => {
  const video = await startVideo()
  await record(video, 'door', 100, 1e7)
  // A hundredth of 20 GB must stay free, and half of that isn't.
  await sweep(video, { free: () => 1e8 })
  expect(await bytesOf(video)).toEqual({ door: 1e9 - 1.2e8 })
})

test.skipIf(isInBucket)('an export on the disk that recordings fill has the oldest deleted, but its own', async () => {
  const video = await startVideo()
  const { site, context } = video
  await record(video, 'door', 100, 1e7)
  await site.locks.add('door', { start: t0 + 41_000, finish: t0 + 42_000, reason: 'x', expires: null, login: 'ann' })
  const left = async () =>
    (await site.index.within('door', t0, t0 + 200_000, 100)).map(({ start }) => (start - t0) / 2000)
  const disk = async () => ({
    freeBytes: 2 ** 30 + 2e8 + 1e9 - ((await bytesOf(video))['door'] ?? 0),
    totalBytes: 2e10,
    device: site.volumes.folders()[0]?.device ?? 0,
  })
  const retention = createRetention(context, site, disk)
  onTestFinished(retention.stop)
  const usage = { usedBytes: async () => 0 }
  const requireSpace = (bytes: number, readDisk = disk, { signal } = new AbortController()) =>
    createSpaceCheck(context.dataDir, context.settings, usage, retention.makeSpace, readDisk)(items, bytes, signal)
  const items = [{ uid: 'door', name: 'Door', start: t0, finish: t0 + 19_000, masks: [] }]
  const all = Array.from({ length: 100 }, (_, position) => position)

  // Where it would cost more than a fourth of the archive, on another disk, and after a stop.
  await expect(requireSpace(3e8)).rejects.toThrow('DISK_FULL')
  await expect(requireSpace(2.2e8, async () => ({ ...(await disk()), device: -5 }))).rejects.toThrow('DISK_FULL')
  const stopped = new AbortController()
  stopped.abort()
  await expect(requireSpace(2.2e8, disk, stopped)).rejects.toThrow('DISK_FULL')
  await requireSpace(1.9e8)
  expect(await left()).toEqual(all)

  // With the reserve of 0.2 GiB, 235 MB are short.
  await requireSpace(2.2e8)
  expect(await left()).toEqual(all.filter((position) => position < 10 || position === 20 || position >= 35))
  expect((await site.logs.read('door', undefined)).at(-1)?.message).toMatch(/^An export needs space on the disk/)
})

const fakeIntervals = (): void => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

test('the reserve of a disk is looked after every ten seconds, also while a sweep is at the streams', async () => {
  const video = await startVideo()
  await record(video, 'door', 100, 1e7, { depthHours: 1 })
  fakeIntervals()
  const { promise: sweptStreams, resolve: sweepStreams } = Promise.withResolvers<void>()
  const { uids } = video.site.index
  vi.spyOn(video.site.index, 'uids').mockImplementation(async () => {
    await sweptStreams
    return uids()
  })
  // 0.2 GiB are kept free.
  const state = { reads: 0, free: 1.2e8 }
  const disk = async () => {
    state.reads += 1
    return { freeBytes: state.free + 1e9 - ((await bytesOf(video))['door'] ?? 0), totalBytes: 2e10 }
  }
  const retention = createRetention({ ...video.context, now: () => t0 + 60_000 }, video.site, disk)
  const swept = retention.sweep()
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(() => state.reads).toBe(1)
  // More than half of the reserve is left for the sweep, which deletes first what no stream may keep.
  expect(await bytesOf(video)).toEqual({ door: 1e9 })
  state.free = 1e8
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(() => bytesOf(video)).toEqual({ door: 1e9 - 1.2e8 })
  sweepStreams()
  await swept
  await retention.stop()
  expect(await bytesOf(video)).toEqual({ door: 1e9 - 1.2e8 })
})

test('recordings that fill a small disk before they are sealed cost others nothing', async () => {
  const video = await startVideo()
  await record(video, 'door', 10, 1e6, { depthHours: 1 })
  fakeIntervals()
  const state = { reads: 0 }
  const disk = async () => {
    state.reads += 1
    return { freeBytes: 1e8, totalBytes: 4.2e8 }
  }
  const retention = createRetention({ ...video.context, now: () => t0 + 60_000 }, video.site, disk)
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(() => state.reads).toBe(1)
  await retention.stop()
  expect(await bytesOf(video)).toEqual({ door: 1e7 })
})

test('a disk that does not answer is not asked again, and keeps no other from being freed', async () => {
  fakeIntervals()
  const volumes = ['/a', '/b'].map((path, id) => ({ id, path, ...there }))
  const asked: string[] = []
  const freed: string[] = []
  const watch = createSpaceWatch({
    volumes: () => volumes,
    readDisk: (path) => {
      asked.push(path)
      return path === '/a' ? new Promise(() => undefined) : Promise.resolve({ freeBytes: 1e8, totalBytes: 2e10 })
    },
    isRunning: () => true,
    storedOn: async () => 1e12,
    free: async ({ path }) => void freed.push(path),
    onFailure: () => undefined,
  })
  onTestFinished(watch.stop)
  await vi.advanceTimersByTimeAsync(20_000)
  expect([asked, freed]).toEqual([
    ['/a', '/b', '/b'],
    ['/b', '/b'],
  ])
})

// The timers of PostgreSQL's client would be faked, too.
test.runIf(isOnFile)('a disk that does not answer keeps nothing else', async () => {
  const video = await startVideo()
  await record(video, 'door', 10, 1000, { quotaBytes: 3500 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const state = { isSwept: false }
  const swept = sweep(video, { free: () => new Promise(() => undefined) }).finally(() => {
    state.isSwept = true
  })
  while (!state.isSwept) await vi.advanceTimersByTimeAsync(30_000)
  await swept
  expect(await bytesOf(video)).toEqual({ door: 3000 })
})

test('a stream whose recordings can not be deleted keeps none of another one', async () => {
  const video = await startVideo()
  await record(video, 'door', 10, 1000, { depthHours: 1 })
  await record(video, 'yard', 10, 1000, { depthHours: 1 })
  const { oldest, uids } = video.site.index
  const [first] = await uids()
  const recording = (await video.site.index.recording(first ?? ''))?.recording
  vi.spyOn(video.site.index, 'oldest').mockImplementation(async (...asked) => {
    if (asked[0] === recording)
      throw Object.assign(new Error('permission denied'), { code: 'EACCES', syscall: 'unlink' })
    return oldest(...asked)
  })
  await sweep(video, { now: t0 + 7_200_000 })
  expect(Object.values(await bytesOf(video)).toSorted((a, b) => a - b)).toEqual([0, 10_000])
})

test('annotations without a depth stay as long as recordings, a day at least, and wherever rows may be missing', async () => {
  const video = await startVideo()
  const { site } = video
  await record(video, 'door', 3, 1000)
  for (const uid of ['new', 'off']) await record(video, uid, 0, 1000)
  await addChunks(video, subOf('door'), 1, 1000, t0 - 2000)
  await addChunks(video, 'off', 1, 1000)
  await site.change('off', (stream) => ({ ...stream, isArchived: false }))
  await site.locks.add('door', { start: t0 - 9000, finish: t0 - 8000, reason: 'x', expires: null, login: 'ann' })
  await addChunks(video, 'door', 1, 1000, t0 - 10_000)
  const ends = [-20_000, -8500, -4000, -1000]
  for (const uid of ['door', 'new', 'off'])
    for (const end of ends) await site.annotations.add(uid, 'event', t0 + end, t0 + end)
  const left = async (uid: string) =>
    (await Array.fromAsync(site.annotations.within(uid, t0 - 60_000, t0))).flat().map(({ time }) => time - t0)
  await site.untilRepaired()

  await sweep(video, { now: t0 + 80_000_000 })
  const isRepaired = vi.spyOn(site, 'isRepaired').mockReturnValue(false)
  await sweep(video, { now: t0 + 90_000_000 })
  isRepaired.mockRestore()
  const percent = vi.spyOn(site, 'repackedPercent').mockReturnValue(50)
  await sweep(video, { now: t0 + 90_000_000 })
  percent.mockRestore()
  expect(await left('door')).toEqual(ends)
  await sweep(video, { now: t0 + 90_000_000 })
  expect(await left('door')).toEqual([-8500, -1000])
  expect([await left('new'), await left('off')]).toEqual([ends, ends])
})

test('a stream keeps no more than its quota', async () => {
  const video = await startVideo()
  await record(video, 'door', 10, 1000, { quotaBytes: 3500 })
  await record(video, 'yard', 10, 1000)
  await sweep(video)
  expect(await bytesOf(video)).toEqual({ door: 3000, yard: 10_000 })
  expect(await video.site.index.period('door')).toEqual({ startTime: t0 + 14_000, endTime: t0 + 20_000 })
  const { ask, admin } = video
  const body = { name: 'Door', streamSource: 'rtsp://192.0.2.1/x', archive: { isEnable: true, depthHours: -1 } }
  const put = async (archive: object) =>
    (await ask('PUT', '/v1/stream/door', { cookie: admin, body: { ...body, archive } })).body
  expect((await ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({
    features: expect.arrayContaining(['archive-quota']),
  })
  expect(await put(body.archive)).toMatchObject({ archive: { quotaBytes: 3500 } })
  expect(await put({ ...body.archive, quotaBytes: 0 })).toMatchObject({ archive: { quotaBytes: 0 } })
  expect(Reflect.get(Object(await put({ ...body.archive, quotaBytes: -1 })), 'archive')).toEqual({
    isEnable: true,
    depthHours: -1,
  })
  expect(await put({ ...body.archive, quotaBytes: -2 })).toMatchObject({
    code: 'ValidationError',
    details: { 'archive.quotaBytes': expect.any(String) },
  })
})

describe('what a removed stream left', () => {
  const hour = 3_600_000
  test('is found by administrators, goes by the depth that it had, and can be purged', async () => {
    // Nothing is too old for the first sweep, whenever that comes.
    const video = await startVideo({ now: () => t0 + 60_000 })
    const { ask, admin, site, context } = video
    await video.addUser('eve')
    await record(video, 'door', 10, 1000, { owner: 'eve', depthHours: 1 })
    await record(video, 'yard', 5, 1000)
    for (const uid of ['door', 'yard'])
      expect((await ask('DELETE', `/v1/stream/${uid}`, { cookie: admin })).status).toBe(200)
    const period = { startTime: new Date(t0).toISOString(), endTime: new Date(t0 + 20_000).toISOString() }
    const door = { uid: 'door', name: 'name of door', bytes: 10_000, depthHours: 1, period }
    const { body } = await ask('GET', '/v1/admin/recordings', { cookie: admin })
    expect(body).toEqual({
      items: [door, expect.objectContaining({ uid: 'yard', name: 'name of yard', bytes: 5000, depthHours: -1 })],
    })
    expect((await ask('GET', '/v1/admin/recordings', { cookie: await video.signIn('eve') })).status).toBe(403)
    expect((await site.index.totals()).find(({ uid }) => uid === 'door')).toMatchObject({ owner: 'eve' })

    await sweep(video, { now: t0 + hour + 10_000 })
    expect(await bytesOf(video)).toEqual({ door: 5000, yard: 5000 })
    await sweep(video, { now: t0 + 2 * hour })
    expect(await bytesOf(video)).toEqual({ door: 0, yard: 5000 })

    expect((await ask('DELETE', '/v1/admin/recordings/yard', { cookie: admin })).status).toBe(200)
    expect((await ask('DELETE', '/v1/admin/recordings/yard', { cookie: admin })).status).toBe(404)
    await site.purge(new AbortController().signal)
    expect(existsSync(streamFolder(context.dataDir, 'yard'))).toBe(false)
    expect(await site.index.uids()).toEqual(['door'])
  })

  test('is none of a stream that is there', async () => {
    const video = await startVideo()
    await record(video, 'door', 1, 1000)
    expect((await video.ask('DELETE', '/v1/admin/recordings/door', { cookie: video.admin })).status).toBe(404)
    expect((await video.ask('GET', '/v1/admin/recordings', { cookie: video.admin })).body).toEqual({ items: [] })
    expect(video.context.features.has('recordings')).toBe(true)
  })

  test('continues to be deleted after a stop in the middle', async () => {
    const video = await startVideo()
    await record(video, 'door', 2000, 1000)
    await video.site.index.markPurged('door')
    const [purged] = await video.site.index.purged()
    if (purged === undefined) throw new Error('not purged')
    await video.site.index.purgeSome(purged, 100, true)
    expect(await video.site.index.recording('door')).toBeUndefined()
    await sweep(video)
    expect(await video.site.index.purged()).toEqual([])
    expect(existsSync(streamFolder(video.context.dataDir, 'door'))).toBe(false)
  })
})

describe('limits', () => {
  const draft = { name: 'Door', streamSource: 'rtsp://192.0.2.1/x' }

  test('hold for the number of streams of all together, administrators too', async () => {
    const { limits } = builtInValues
    const { ask, admin, site } = await startVideo({
      defaults: {
        ...builtInValues,
        limits: { ...limits, streamsMax: 1 },
      },
    })
    expect((await ask('POST', '/v1/stream', { cookie: admin, body: draft })).status).toBe(200)
    expect(await ask('POST', '/v1/stream', { cookie: admin, body: draft })).toMatchObject({
      status: 403,
      body: { code: 'QuotaReached' },
    })
    await ask('PUT', '/v1/admin/configuration', { cookie: admin, body: { values: { limits: { streamsMax: -1 } } } })
    expect((await ask('POST', '/v1/stream', { cookie: admin, body: draft })).status).toBe(200)
    expect(await site.store.count()).toBe(2)
  })

  test('a stream that sends too much over a minute is over its rate until it sends less', () => {
    let time = 0
    let most = 8
    const cap = createRateCap(
      () => most,
      () => time,
    )
    const changes: boolean[] = []
    for (; time < 60_000; time += 1000) changes.push(cap.add('door', 1_000_000))
    expect([changes.some(Boolean), cap.isOver('door')]).toEqual([false, false])
    expect([cap.add('door', 2_000_000), cap.isOver('door'), cap.add('door', 1), cap.isOver('yard')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    time += 10_000
    expect([cap.isOver('door'), cap.add('door', 1)]).toEqual([false, true])
    most = -1
    cap.add('door', 1e12)
    expect(cap.isOver('door')).toBe(false)
  })

  test('a stream over the maximum rate is live only, and reports so', async () => {
    const video = await startVideo({
      defaults: {
        ...builtInValues,
        limits: { ...builtInValues.limits, streamMbitsMax: 0 },
      },
    })
    const { ask, admin, site } = video
    const { body } = await ask('POST', '/v1/stream', {
      cookie: admin,
      body: { name: 'Gate', streamSource: 'demo:gate' },
    })
    const uid = String(Reflect.get(Object(body), 'uid'))
    await segments(site, uid, 3)
    expect((await ask('GET', `/v1/stream/${uid}`, { cookie: admin })).body).toMatchObject({
      status: 'running',
      failureReason: 'Not recorded: the bit rate exceeds 0 Mbit/s',
    })
    const { endTime = 0, startTime = 0 } = (await site.index.period(uid)) ?? {}
    const names = readdirSync(streamFolder(video.context.dataDir, uid))
    expect(names.filter((name) => name.endsWith('.live'))).toHaveLength(1)
    // The first one was recorded before it was known.
    expect(endTime - startTime).toBeLessThan(5000)
    const lines = (await site.logs.read(uid, undefined)).map(({ message }) => message)
    expect(lines).toContain('Not recorded: the bit rate exceeds 0 Mbit/s')
  })
})

describe('what is kept', () => {
  const gigabyte = 1e9

  /** Calls `done` once the first rows are deleted. */
  const afterFirstRemoval = ({ site: { index } }: VideoHarness, done: () => void) => {
    const { remove } = index
    vi.spyOn(index, 'remove').mockImplementationOnce(async (...args) => {
      const removed = await remove(...args)
      done()
      return removed
    })
  }

  test.each([
    ['the size of the archive', { archiveMaxGb: 1 }, {}, 10],
    ['a quota', {}, { quotaBytes: 1000 }, 50],
    ['a depth', {}, { depthHours: 1 }, 50],
  ])('by %s: a leader that is relieved deletes the batch that it began', async (_name, site, stream, batch) => {
    const video = await startVideo()
    await record(video, 'door', 120, gigabyte / 10, stream)
    const { context } = video
    let isLeader = true
    afterFirstRemoval(video, () => {
      isLeader = false
    })
    const cluster = { ...context.cluster, isLeader: () => isLeader }
    const settings = { ...context.settings, ...site }
    await sweep({ ...video, context: { ...context, cluster, settings } }, { now: t0 + 7_200_000 })
    expect(await bytesOf(video)).toEqual({ door: ((120 - batch) * gigabyte) / 10 })
  })

  test('follows a maximum size that is raised in the middle of a sweep', async () => {
    const video = await startVideo()
    await record(video, 'door', 40, gigabyte / 10)
    const { context } = video
    const settings = { ...context.settings, archiveMaxGb: 1 }
    afterFirstRemoval(video, () => {
      settings.archiveMaxGb = 3
    })
    await sweep({ ...video, context: { ...context, settings } })
    expect(await bytesOf(video)).toEqual({ door: 3 * gigabyte })
  })

  test('is limited by the size of the archive; who has most loses the oldest', async () => {
    const video = await startVideo()
    await video.addUser('eve')
    await record(video, 'door', 10, gigabyte / 10)
    await record(video, 'flood', 40, gigabyte / 10, { owner: 'eve' })
    // For this sweep alone: that of the start may still go on.
    const { context } = video
    await sweep({ ...video, context: { ...context, settings: { ...context.settings, archiveMaxGb: 4 } } })
    expect(await bytesOf(video)).toEqual({ door: gigabyte, flood: 3 * gigabyte })
    expect((await video.site.logs.read('flood', undefined)).at(-1)?.message).toBe(
      'The archive has reached its maximum size: the oldest recordings were deleted',
    )
    expect((await video.site.logs.read('door', undefined)).filter(({ level }) => level === 'warn')).toEqual([])
  })

  test('of a substream counts for its stream, and the oldest of both goes first', async () => {
    const video = await startVideo()
    await record(video, 'door', 10, 1000)
    await addChunks(video, 'door.sub', 10, 400, t0 + 500)
    const { site } = video
    const door = site.store.find('door')
    const find = () => (door === undefined ? undefined : { ...door, quotaBytes: 12_500, depthHours: 1 })
    const bounded = { ...video, site: { ...site, store: { ...site.store, find } } }
    await sweep(bounded)
    // 14,000 of both less 1000, 400 and 1000, by their starts.
    expect(await bytesOf(video)).toEqual({ door: 8000, 'door.sub': 3600 })
    await sweep(bounded, { now: t0 + 3_600_000 + 10_000 })
    expect(await bytesOf(video)).toEqual({ door: 5000, 'door.sub': 2400 })
  })

  test('and the forecast are shown to administrators, with the stream that is deleted from first', async () => {
    const video = await startVideo()
    const { ask, admin } = video
    await record(video, 'door', 10, 1000, { depthHours: 1e6, quotaBytes: 1e9 })
    await record(video, 'yard', 20, 1000)
    const retention = async () => (await ask('GET', '/v1/admin/retention', { cookie: admin })).body
    const item = (uid: string, bytes: number, rest: object) => ({
      uid,
      name: `name of ${uid}`,
      bytes,
      bytesPerDay: 0,
      daysKept: 0,
      daysAhead: null,
      ...rest,
    })
    expect(await retention()).toEqual({
      items: [item('door', 10_000, { limit: 'days' }), item('yard', 20_000, { limit: 'none' })],
      first: 'yard',
      freeBytes: expect.any(Number),
      volumes: [
        {
          path: archiveFolder(video.context.dataDir),
          state: 'there',
          totalBytes: expect.any(Number),
          freeBytes: expect.any(Number),
          bytes: 30_000,
          first: 'yard',
        },
      ],
    })
    const [segment] = await video.site.index.within('door', t0, t0 + 1, 1)
    if (segment === undefined) throw new Error('nothing is recorded')
    const run = runOf(video.site.runId(), newRunKey(), init)
    for (const listener of video.site.segmentListeners) listener('door.sub', { ...segment, bytes: 1_000_000 }, run)
    const { items, volumes } = Object(await retention())
    // Created in 1970, counted since a moment ago: at least a minute is assumed.
    expect(items[0].bytesPerDay).toBeGreaterThan(0)
    expect(items[0].bytesPerDay).toBeLessThanOrEqual(1440 * 1_000_000)
    expect(items[0]).toEqual(
      item('door', 10_000, {
        bytesPerDay: items[0].bytesPerDay,
        daysAhead: Math.round((1e9 / items[0].bytesPerDay) * 100) / 100,
        limit: 'quota',
      }),
    )
    const [{ path, bytes, freeBytes, totalBytes, daysAhead }] = volumes
    const available = bytes + Math.max(0, freeBytes - reserveOf({ totalBytes }))
    expect(daysAhead).toBe(Math.round((available / items[0].bytesPerDay) * 100) / 100)
    expect((await ask('GET', '/v1/system/metrics', { cookie: admin })).body).toContain(
      `sightline_archive_volume_days{volume="${path}"} ${daysAhead}\n`,
    )
    expect((await ask('GET', '/v1/stream/door', { cookie: admin })).body).toMatchObject({
      archive: { isEnable: true, depthHours: 1e6, quotaBytes: 1e9, daysAhead: items[0].daysAhead },
    })
    expect(Reflect.get(Object((await ask('GET', '/v1/stream/yard', { cookie: admin })).body), 'archive')).toEqual({
      isEnable: true,
      depthHours: -1,
    })
    expect((await ask('GET', '/v1/admin/retention', { cookie: '' })).status).toBe(401)
    expect(video.context.features.has('retention')).toBe(true)
  })

  test('are forecast without what is kept on a disk that nothing new is recorded to', async () => {
    const [dataDir, disk] = [mkdtempSync(join(tmpdir(), 'sightline-')), mkdtempSync(join(tmpdir(), 'sightline-'))]
    onTestFinished(() => [dataDir, disk].forEach((path) => rmSync(path, { recursive: true, force: true })))
    const video = await startVideo({ dataDir, archiveDirs: [disk] })
    const { site, ask, admin } = video
    await record(video, 'door', 1, 1e15)
    await record(video, 'idle', 1, 1e15)
    const [segment] = await site.index.within('door', t0, t0 + 1, 1)
    if (segment === undefined) throw new Error('nothing is recorded')
    const run = runOf(site.runId(), newRunKey(), init)
    for (const listener of site.segmentListeners) listener('door', { ...segment, bytes: 1_000_000 }, run)
    const daysAhead = async () => {
      const { items, volumes } = Object((await ask('GET', '/v1/admin/retention', { cookie: admin })).body)
      const [door] = items
      const listed = volumes.find(({ path }: { path: string }) => path === disk)
      return { door: door.daysAhead, onDisk: listed.daysAhead, allOfDoor: 1e15 / door.bytesPerDay }
    }
    // Both folders are on one disk: the old recordings make way for new ones.
    const onOne = await daysAhead()
    expect(onOne.door).toBeGreaterThan(onOne.allOfDoor)
    const { available } = site.volumes
    vi.spyOn(site.volumes, 'available').mockImplementation(() =>
      available().map((each) => (each.isListed ? each : { ...each, device: -1 })),
    )
    const onTwo = await daysAhead()
    expect(onTwo.door).toBeGreaterThan(0)
    expect(onTwo.door).toBe(onTwo.onDisk)
  })
})
