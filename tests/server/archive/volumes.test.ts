import * as fc from 'fast-check'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createArchive } from '../../../server/archive/archive.ts'
import { repairHour } from '../../../server/archive/repair/repair-files.ts'
import { chunkFile } from '../../../server/storage/folders.ts'
import { repairArchive } from '../../../server/archive/repair/repair.ts'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import { chooseVolume, type Candidate } from '../../../server/storage/volume-choice.ts'
import { archiveSteps } from '../../../server/archive/repair/tables.ts'
import { openVolumes } from '../../../server/storage/volumes.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { openStore } from '../../../server/store/store.ts'
import { schema } from '../../../server/schema.ts'
import { isOnFile } from '../fixtures/database.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { bytesOf } from '../fixtures/playlists.ts'
import { create } from '../fixtures/recordings.ts'
import { add, archiveOf, database, indexContent, newFolder, record, t0, uid } from '../fixtures/tape.ts'
import { logged, segments, startVideo, type VideoHarness } from '../fixtures/video.ts'

/** Folders that stand for disks; one that is away was renamed, as an empty mount point has no marker. */
const disksOf = (...names: string[]): string[] => {
  const folder = newFolder()
  return names.map((name) => {
    const path = join(folder, name)
    mkdirSync(path)
    return path
  })
}
const takeAway = (disk: string): void => {
  renameSync(disk, `${disk}-away`)
  mkdirSync(disk)
}
const bringBack = (disk: string): void => {
  rmSync(disk, { recursive: true })
  renameSync(`${disk}-away`, disk)
}

const open = async (dataDir: string, archiveDirs: readonly string[], addsAdmin = true): Promise<VideoHarness> => {
  const video = await startVideo({ dataDir, archiveDirs, addsAdmin })
  await video.site.untilRepaired()
  return video
}

/** Records to one of the volumes. */
const recordTo = async (video: VideoHarness, volume: number, from: number, to: number, of = uid): Promise<void> => {
  const { volumes } = video.site
  const chosen = vi.spyOn(volumes, 'targetFor')
  chosen.mockImplementation((of) => ({ volume, folder: volumes.folder(volume, of), marker: undefined }))
  await record(video, from, to, { of, chunkSeconds: 4 })
  chosen.mockRestore()
}

const chunksOn = async ({ context: { store } }: VideoHarness): Promise<string[]> => {
  const rows = await store.all(
    z.object({ start: z.number(), volume: z.number() }),
    'SELECT start, volume FROM chunks ORDER BY start',
  )
  return rows.map(({ start, volume }) => `${(start - t0) / 1000} on ${volume}`)
}
const seconds = (from: number, to: number) => ({ from: t0 + from * 1000, to: t0 + to * 1000 })
const ranges = ({ site: { index } }: VideoHarness) => index.recordedRanges(uid, t0 - 3_600_000, t0 + 3_600_000)
const bytesIn = async ({ site: { index } }: VideoHarness): Promise<number> =>
  (await index.totals()).reduce((sum, { bytes }) => sum + bytes, 0)
const health = async (video: VideoHarness): Promise<unknown[]> => {
  const { body } = await video.ask('GET', '/v1/system/health', { cookie: video.admin })
  return z
    .parse(z.object({ warnings: z.array(z.looseObject({ code: z.string() })) }), body)
    .warnings.filter(({ code }) => code.startsWith('ARCHIVE_'))
}

const playlistOf = async (video: VideoHarness): Promise<string[]> => {
  const [start, end] = [t0 - 3_600_000, t0 + 3_600_000].map((moment) => new Date(moment).toISOString())
  const url = `/v1/stream/${uid}/archive/recorded.m3u8?start_time=${start}&end_time=${end}`
  return (await bytesOf(video, url))
    .toString()
    .split('\n')
    .flatMap((line) => (line.endsWith('.m4s') ? `/v1/stream/${uid}/archive/${line}` : []))
}

/** Two minutes, of which the middle lies on the first disk, and the rest on the second. */
const spread = async () => {
  const dataDir = newFolder()
  const disks = disksOf('a', 'b')
  const video = await open(dataDir, disks)
  await add(video)
  await recordTo(video, 2, 0, 8)
  await recordTo(video, 1, 8, 16)
  await recordTo(video, 2, 16, 20)
  const [, b = ''] = disks
  return { video, dataDir, disks, b }
}

test('chunks are written to, found on, read from and counted for their volume', async () => {
  const { video, disks } = await spread()
  const { volumes, index } = video.site
  expect(await chunksOn(video)).toEqual(['0 on 2', '4 on 2', '8 on 1', '12 on 1', '16 on 2'])
  for (const [position, start] of [1, 0, 1].entries())
    expect(existsSync(join(disks[start] ?? '', uid, chunkFile(t0 + position * 8000)))).toBe(true)
  expect(await ranges(video)).toEqual([seconds(0, 20)])
  const listed = await playlistOf(video)
  expect(listed).toHaveLength(10)
  for (const url of listed) expect((await bytesOf(video, url)).length).toBeGreaterThan(1000)
  const held = await Promise.all([0, 1, 2].map(async (id) => (await index.totalsOn(id))[0]?.bytes ?? 0))
  expect(held[0]).toBe(0)
  expect(held.reduce((sum, bytes) => sum + bytes, 0)).toBe(await bytesIn(video))
  expect(volumes.all().map(({ path, state, isListed }) => [path, state, isListed])).toEqual([
    [join(video.context.dataDir, 'archive'), 'there', false],
    [disks[0], 'there', true],
    [disks[1], 'there', true],
  ])
  expect(await health(video)).toEqual([])
})

test('failed writes of many streams have the volumes checked once more, and not once each', async () => {
  const dataDir = newFolder()
  const store = await memoryStore(new Map([['archive', archiveSteps]]))
  const archiveDirs = disksOf('a', 'b')
  const checks = { count: 0 }
  const volumes = await openVolumes({ store, dataDir, archiveDirs, warn: () => undefined }, async () => {
    checks.count += 1
    return { freeBytes: 1e12, totalBytes: 1e12, device: 1 }
  })
  onTestFinished(volumes.stop)
  const before = checks.count
  for (let count = 0; count < 500; count += 1) volumes.markFailed(1)
  await volumes.refresh()
  await volumes.refresh()
  expect(checks.count / before).toBeLessThanOrEqual(3)
})

test('a volume that comes back while the database is away is announced once the database is back', async () => {
  const store = await memoryStore(new Map([['archive', archiveSteps]]))
  const [a = '', b = ''] = disksOf('a', 'b')
  const volumes = await openVolumes({ store, dataDir: newFolder(), archiveDirs: [a, b], warn: () => undefined })
  onTestFinished(volumes.stop)
  const back = vi.fn<() => void>()
  volumes.returnListeners.push(back)
  takeAway(b)
  await volumes.refresh()
  bringBack(b)
  vi.spyOn(store, 'run').mockRejectedValueOnce(new StoreAway('the connection broke'))
  await volumes.refresh()
  expect(back).not.toHaveBeenCalled()
  await volumes.refresh()
  await volumes.refresh()
  expect(back).toHaveBeenCalledOnce()
})

test('chunks on a missing volume are a gap, and none is deleted; once it is back they are played again', async () => {
  const { video, b } = await spread()
  const { site, context } = video
  const before = await indexContent(video)
  const all = await bytesIn(video)
  const onB = (await site.index.totalsOn(2))[0]?.bytes ?? 0
  const listed = await playlistOf(video)
  takeAway(b)
  await site.volumes.refresh()

  expect(await ranges(video)).toEqual([seconds(8, 16)])
  expect(await site.index.period(uid)).toEqual({ startTime: t0 + 8000, endTime: t0 + 16_000 })
  expect((await site.index.newest(uid))?.start).toBe(t0 + 14_000)
  expect(await site.index.nextRecorded(uid, t0)).toBe(t0 + 8000)
  expect(await playlistOf(video)).toEqual(listed.slice(4, 8))
  expect(await site.index.isRecorded(uid, t0, t0 + 1000)).toBe(true)
  expect(await bytesIn(video)).toBe(all - onB)
  expect(await health(video)).toEqual([{ code: 'ARCHIVE_VOLUME_MISSING', volumes: [{ path: b, bytes: onB }] }])
  expect(site.volumes.targetFor('another').volume).toBe(1)
  // Whoever looks for files, or for what is too much, leaves it alone.
  await site.untilRepaired()
  const retention = createRetention({ ...context, settings: { ...context.settings, archiveMaxGb: all / 1e9 } }, site)
  await retention.sweep()
  await retention.stop()
  expect(await indexContent(video)).toEqual(before)
  expect(readdirSync(b)).toEqual([])

  bringBack(b)
  await site.volumes.refresh()
  expect(await ranges(video)).toEqual([seconds(0, 20)])
  expect(await playlistOf(video)).toEqual(listed)
  expect(await bytesIn(video)).toBe(all)
  expect(await health(video)).toEqual([])
  expect(await site.untilRepacked()).toBeUndefined()
  expect(await indexContent(video)).toEqual(before)
})

test('a volume that is missing at a start keeps its rows, and may come back under another path', async () => {
  const { video, dataDir, disks, b } = await spread()
  const before = await indexContent(video)
  await video.app.close()
  takeAway(b)
  const without = await open(dataDir, disks, false)
  expect(await ranges(without)).toEqual([seconds(8, 16)])
  expect(await indexContent(without)).toEqual(before)
  expect(await health(without)).toHaveLength(1)
  await without.app.close()

  const again = await open(dataDir, [disks[0] ?? '', `${b}-away`], false)
  expect(await ranges(again)).toEqual([seconds(0, 20)])
  expect(await health(again)).toEqual([])
  await again.app.close()

  // A volume that isn't listed any more is read, and not recorded to.
  const fewer = await open(dataDir, disks.slice(0, 1), false)
  expect(await ranges(fewer)).toEqual([seconds(0, 20)])
  expect(fewer.site.volumes.all().map(({ isListed }) => isListed)).toEqual([false, true, false])
  expect(fewer.site.volumes.targetFor(uid).volume).toBe(1)
  await fewer.app.close()
  const { site } = await open(dataDir, [join(dataDir, 'archive')], false)
  expect(site.volumes.targetFor(uid).volume).toBe(0)
})

test('a volume whose disk is broken at a start is missing, and the others are recorded to', async () => {
  const { video, dataDir, disks, b } = await spread()
  await video.app.close()
  const marker = join(b, 'sightline-volume.json')
  rmSync(marker)
  // Can't be read, as on a broken disk.
  mkdirSync(marker)
  const without = await open(dataDir, disks, false)
  expect(await ranges(without)).toEqual([seconds(8, 16)])
  expect(await health(without)).toHaveLength(1)
})

test('spools that a crash left on a volume that comes back are sealed', async () => {
  const { video, b, dataDir, disks } = await spread()
  const { volumes } = video.site
  const chosen = vi.spyOn(volumes, 'targetFor')
  chosen.mockImplementation((of) => ({ volume: 2, folder: volumes.folder(2, of), marker: undefined }))
  await record(video, 30, 36, { isSealed: false })
  chosen.mockRestore()
  await video.app.close()
  takeAway(b)
  const again = await open(dataDir, disks, false)
  expect(await ranges(again)).toEqual([seconds(8, 16)])
  bringBack(b)
  await again.site.volumes.refresh()
  await again.site.untilRepacked()
  expect(await ranges(again)).toEqual([seconds(0, 20), seconds(30, 36)])
  expect(readdirSync(join(b, uid)).filter((name) => name.endsWith('.spool'))).toEqual([])
})

test('files that were moved to another volume are found there; a row is removed only if its volume is available', async () => {
  const { video, disks } = await spread()
  const [a = '', b = ''] = disks
  const { site } = video
  const hour = chunkFile(t0).slice(0, 10)
  renameSync(join(b, uid, chunkFile(t0)), join(a, uid, chunkFile(t0)))
  rmSync(join(b, uid, chunkFile(t0 + 4000)))
  rmSync(join(a, uid, chunkFile(t0 + 8000)))
  const verify = vi.spyOn(site.volumes, 'verify')
  verify.mockImplementation(async (id) => id === 1)
  expect(await repairHour(archiveOf(video), hour)).toEqual({ restored: 0, removedRows: 1, movedFiles: [], failed: [] })
  expect(await chunksOn(video)).toEqual(['0 on 1', '4 on 2', '12 on 1', '16 on 2'])
  verify.mockRestore()
  expect(await repairHour(archiveOf(video), hour)).toMatchObject({ removedRows: 1 })
  expect(await ranges(video)).toEqual([seconds(0, 4), seconds(12, 20)])
  const sum = 'SELECT sum(bytes) AS bytes FROM chunks WHERE volume = 2'
  const left = await video.context.store.get(z.object({ bytes: z.number() }), sum)
  expect(await site.index.totalsOn(2)).toMatchObject([left])
})

test('each volume keeps its own reserve: its oldest chunks are deleted, and depth deletes on all volumes', async () => {
  const { video, disks } = await spread()
  const { site, context } = video
  const isShort = { left: 1 }
  const sweep = async (now: number, short = ''): Promise<void> => {
    isShort.left = 1
    const retention = createRetention({ ...context, now: () => now }, site, async (path) => {
      if (path === short) isShort.left -= 1
      return { freeBytes: path === short && isShort.left >= 0 ? 0 : 2e10, totalBytes: 2e10 }
    })
    await retention.sweep()
    await retention.stop()
  }
  await sweep(t0 + 20_000, disks[0])
  // Far more than is there was asked for: all of that volume, and nothing of the other.
  expect(await chunksOn(video)).toEqual(['0 on 2', '4 on 2', '16 on 2'])
  await site.change(uid, (row) => ({ ...row, depthHours: 1 }))
  await sweep(t0 + 3_600_000 + 8000)
  expect(await chunksOn(video)).toEqual(['16 on 2'])
  expect(existsSync(join(disks[1] ?? '', uid, chunkFile(t0)))).toBe(false)
})

/** Gives the volume that a server would record to next if all of its disks were full. */
const chosenOfFull = async ({ context }: VideoHarness, disks: readonly string[]) => {
  const options = { store: context.store, dataDir: context.dataDir, archiveDirs: disks, warn: () => undefined }
  const volumes = await openVolumes(options, async () => ({ freeBytes: 0, totalBytes: 2e10, device: 1 }))
  onTestFinished(volumes.stop)
  createArchive({
    store: context.store,
    volumes,
    now: context.now,
    log: context.log,
    writeLog: () => undefined,
    isArchived: () => true,
    onDiskFailure: () => undefined,
  })
  return async (): Promise<number> => {
    await volumes.refresh()
    return volumes.targetFor('another').volume
  }
}

test('of full volumes the one that deletes the oldest chunk next is recorded to, whatever is kept there', async () => {
  const disks = disksOf('a', 'b')
  const video = await open(newFolder(), disks)
  const { site } = video
  await add(video)
  await add(video, 'seldom')
  const chosen = await chosenOfFull(video, disks)
  const hour = 3600
  await recordTo(video, 2, 0, 4, 'seldom')
  await recordTo(video, 2, hour, hour + 8)
  await recordTo(video, 1, 3 * hour, 3 * hour + 8)
  await recordTo(video, 2, 5 * hour, 5 * hour + 8)
  expect(await chosen()).toBe(2)
  const locked = { start: t0 + hour * 1000, finish: t0 + (hour + 8) * 1000, reason: '', expires: null, login: 'admin' }
  const { id } = await site.locks.add(uid, locked)
  expect(await chosen()).toBe(1)
  await site.locks.remove(uid, id)
  expect(await chosen()).toBe(2)
})

test('a purge waits for a missing volume, and is completed once it is back', async () => {
  const { video, disks, b } = await spread()
  const { site } = video
  takeAway(b)
  await site.volumes.refresh()
  await site.remove(uid, true)
  const purge = () => site.purge(new AbortController().signal)
  await purge()
  expect(existsSync(join(disks[0] ?? '', uid))).toBe(false)
  expect((await site.index.purged()).map((each) => each.uid)).toEqual([uid])
  bringBack(b)
  await site.volumes.refresh()
  await site.untilRepacked()
  await purge()
  expect(existsSync(join(b, uid))).toBe(false)
  expect(await site.index.purged()).toEqual([])
  expect(await site.index.recording(uid)).toBeUndefined()
})

test('while the disk of a volume is full, a stream is recorded to another', async () => {
  const disks = disksOf('a', 'b')
  const video = await startVideo({ dataDir: newFolder(), archiveDirs: disks })
  const { site } = video
  const of = await create(video, 'demo:gate')
  await segments(site, of, 1)
  const first = (await site.index.newest(of))?.volume ?? -1
  const failing = join(disks[first - 1] ?? '', of)
  const refused = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })
  const { spools } = await refuseWrites(failing, refused)
  expect(spools).toHaveLength(1)
  expect(await logged(site, of, /^Recording again/)).toMatch(/nothing was recorded for \d+ s/)
  await segments(site, of, 1)
  expect((await site.index.newest(of))?.volume).toBe(3 - first)
})

/** Writes to the files that are open in a folder fail from now on. */
const refuseWrites = async (folder: string, error: Error): Promise<{ spools: string[] }> => {
  const spools = readdirSync(folder).filter((name) => name.endsWith('.spool'))
  const file = await openFile(join(folder, spools[0] ?? ''), 'r')
  const { ino } = await file.stat()
  const prototype = z.parse(z.custom<Pick<typeof file, 'write' | 'stat'>>(), Object.getPrototypeOf(file))
  await file.close()
  const { write } = prototype
  const spy = vi.spyOn(prototype, 'write')
  spy.mockImplementation(async function refuse(this: typeof file, ...args: unknown[]) {
    if ((await this.stat()).ino === ino) throw error
    return Reflect.apply(write, this, args)
  })
  onTestFinished(() => void spy.mockRestore())
  return { spools }
}

test.runIf(isOnFile)('an index is made again of the chunks of all volumes', async () => {
  const { video, dataDir, disks } = await spread()
  const before = await indexContent(video)
  mkdirSync(join(disks[0] ?? '', 'lost+found'))
  await video.app.close()
  for (const end of ['', '-wal', '-shm']) rmSync(`${database(dataDir)}${end}`, { force: true })
  const store = await openStore(database(dataDir), undefined, schema)
  const found = await repairArchive({
    store,
    dataDir,
    archiveDirs: disks,
    now: Date.now,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    warn: () => undefined,
  })
  expect([...found.keys()]).toEqual([uid])
  await store.close()
  const again = await open(dataDir, disks)
  expect(await indexContent(again)).toEqual(before)
  expect(await chunksOn(again)).toEqual(['0 on 2', '4 on 2', '8 on 1', '12 on 1', '16 on 2'])
})

describe('the folders are checked before anything is recorded', () => {
  const start = (dataDir: string, archiveDirs: readonly string[]) => startVideo({ dataDir, archiveDirs })

  test('one that is not there, or is reached twice', async () => {
    const [a = ''] = disksOf('a')
    const dataDir = newFolder()
    await expect(start(dataDir, [`${a}/none`])).rejects.toThrow(`ARCHIVE_DIRS: there is no folder ${a}/none`)
    symlinkSync(a, `${a}-too`)
    await expect(start(dataDir, [a, `${a}-too`])).rejects.toThrow(`ARCHIVE_DIRS names ${a} twice`)
    mkdirSync(join(a, 'in'))
    symlinkSync(join(a, 'in'), `${a}-in`)
    await expect(start(dataDir, [a, `${a}-in`])).rejects.toThrow(`ARCHIVE_DIRS: ${a}/in lies inside ${a}`)
  })

  test('a copy of a volume beside it', async () => {
    const [a = '', b = ''] = disksOf('a', 'b')
    const dataDir = newFolder()
    await (await open(dataDir, [a])).app.close()
    const marker = 'sightline-volume.json'
    const copy = await openFile(join(b, marker), 'w')
    await copy.write(readFileSync(join(a, marker)))
    await copy.close()
    await expect(start(dataDir, [a, b])).rejects.toThrow(`ARCHIVE_DIRS: ${b} and ${a} are the same volume`)
  })

  test('one that can not be written', async () => {
    await expect(start(newFolder(), ['/proc/self'])).rejects.toThrow("ARCHIVE_DIRS: /proc/self isn't writable")
  })
})

describe('where the next chunk goes', () => {
  const volume = (id: number, free: number, rest: Partial<Candidate> = {}): Candidate => ({
    id,
    freeBytes: free * 1e10,
    totalBytes: 1e12,
    streams: 0,
    nextDeleted: undefined,
    ...rest,
  })
  const hour = 3_600_000

  test.each<[string, Candidate[], number | undefined, number | undefined]>([
    ['nowhere without a volume', [], undefined, undefined],
    ['to the emptiest', [volume(1, 40), volume(2, 50)], 1, 2],
    ['to where it was, if that is nearly as empty', [volume(1, 49.5), volume(2, 50)], 1, 1],
    ['to where fewer streams are', [volume(1, 50, { streams: 2 }), volume(2, 50, { streams: 1 })], undefined, 2],
    ['not to a full one', [volume(1, 0), volume(2, 3)], 1, 2],
    [
      'to where the oldest chunk is deleted next, once all are full',
      [volume(1, 0, { nextDeleted: 3 * hour }), volume(2, 0, { nextDeleted: 0 })],
      1,
      2,
    ],
    [
      'to where it was, if that is nearly as old',
      [volume(1, 0, { nextDeleted: hour }), volume(2, 0, { nextDeleted: 0 })],
      1,
      1,
    ],
    ['not to one that is full of other things', [volume(1, 0), volume(2, 0, { nextDeleted: 9 * hour })], 1, 2],
    ['to any, where all are full of other things', [volume(1, 0), volume(2, 0)], undefined, 1],
  ])('%s', (_name, volumes, last, expected) => {
    expect(chooseVolume(volumes, last)).toBe(expected)
  })

  test('is one of them, and stays the same for as long as nothing changes', () => {
    const candidate = fc.record({
      freeBytes: fc.nat(1e12),
      totalBytes: fc.constantFrom(1e12, 4e12),
      streams: fc.nat(9),
      nextDeleted: fc.option(fc.nat(1e9), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1, maxLength: 5 }), (some) => {
        const volumes = some.map((each, id) => ({ ...each, id }))
        const first = chooseVolume(volumes, undefined)
        expect(volumes.map(({ id }) => id)).toContain(first)
        expect(chooseVolume(volumes, first)).toBe(first)
      }),
    )
  })
})
