import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { readJournal } from '../../../server/archive/format/journal.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { openSpool } from '../../../server/archive/format/spool.ts'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import { isDiskError } from '../../../server/store/disk-error.ts'
import { ignoreDiskErrors } from '../../../server/store/background-writes.ts'
import { isOnFile } from '../fixtures/database.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { init } from '../fixtures/paused-stream.ts'
import { create } from '../fixtures/recordings.ts'
import { newFolder } from '../fixtures/tape.ts'
import { logged, segments, startVideo } from '../fixtures/video.ts'

/** Writes to files fail as on a full disk, until the returned function is called. */
const fillDisk = async (folder: string): Promise<() => void> => {
  const file = await open(join(folder, 'x'), 'w')
  const write = vi.spyOn(Object.getPrototypeOf(file), 'write')
  await file.close()
  write.mockRejectedValue(Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' }))
  onTestFinished(() => void write.mockRestore())
  return () => void write.mockRestore()
}

test.runIf(isOnFile)(
  'while the disk takes nothing live goes on from memory and whoever is signed in goes on; then recording does',
  async () => {
    const video = await startVideo()
    const { app, site, context, admin } = video
    const uid = await create(video, 'demo:gate')
    await segments(site, uid, 2)

    await context.store.run('PRAGMA query_only = ON')
    const freeDisk = await fillDisk(context.dataDir)
    const live = site.supervisor(uid)?.live
    const heldOne = () => live?.listed().segments.find(({ readFromMemory }) => readFromMemory !== undefined)
    while (heldOne() === undefined) await live?.waitForSegment(AbortSignal.timeout(60_000))
    const held = heldOne()
    // Another address is something to be noted of a session.
    const get = (url: string) =>
      app.inject({ url, headers: { cookie: admin, host: 'localhost' }, remoteAddress: '192.0.2.9' })
    const base = `/v1/stream/${uid}`
    const playlist = await get(`${base}/archive/live.m3u8`)
    expect(playlist.body).toContain(`live/${held?.start}.m4s`)
    const { rawPayload } = await get(`${base}/archive/live/${held?.start}.m4s`)
    expect([rawPayload.length, rawPayload]).toEqual([held?.bytes, await held?.readFromMemory?.()])
    expect((await get(base)).json()).toMatchObject({ status: 'running' })
    expect((await get('/v1/streams')).statusCode).toBe(200)
    expect(await site.index.startingAt(uid, held?.start ?? 0)).toBeUndefined()

    await context.store.run('PRAGMA query_only = OFF')
    freeDisk()
    await segments(site, uid, 1)
    expect(await logged(site, uid, /^Recording again/)).toMatch(/nothing was recorded for \d+ s/)
  },
)

test.runIf(isOnFile)('while the database alone takes nothing, nothing is lost', async () => {
  const video = await startVideo()
  const { site, context, admin } = video
  const uid = await create(video, 'demo:gate')
  await segments(site, uid, 2)
  await context.store.run('PRAGMA query_only = ON')
  await segments(site, uid, 2)
  const listed =
    site
      .supervisor(uid)
      ?.live.listed()
      .segments.map(({ start }) => start) ?? []
  await context.store.run('PRAGMA query_only = OFF')
  await video.ask('POST', `/v1/stream/pause/${uid}`, { cookie: admin })
  await site.settle()
  const recorded = await site.index.within(uid, 0, Date.now() + 60_000, 100)
  expect(listed.filter((start) => !recorded.some((segment) => segment.start === start))).toEqual([])
  expect(listed.length).toBeGreaterThan(3)
})

test('the names of a spool and its journal are synced, even if the journal could not be written at first', async () => {
  const folder = newFolder()
  const run = runOf(1, newRunKey(), init)
  const counts = { nextSequence: 0, nextDiscontinuity: 0, targetDuration: 2 }
  const spool = await openSpool({ target: { volume: 0, folder }, start: 1000, run, isKept: true, counts })
  onTestFinished(spool.close)
  await spool.append(Buffer.from('lost'))
  const freeDisk = await fillDisk(folder)
  const times = { start: 1000, finish: 3000, duration: 2, mediaStart: 0 }
  await expect(spool.commit(times)).rejects.toThrow('no space')
  freeDisk()
  spool.rollBack()
  await spool.append(Buffer.from('kept'))
  const handle = await open(folder)
  onTestFinished(() => handle.close())
  const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync')
  onTestFinished(() => void sync.mockRestore())
  await spool.commit(times)
  await spool.append(Buffer.from('next'))
  await spool.commit({ ...times, start: 3000, finish: 5000, mediaStart: 2 })
  expect(sync).toHaveBeenCalledTimes(1)
  expect(readJournal(await readFile(join(folder, '1000.journal'), 'utf8'), spool.segments[0]?.offset ?? 0)).toEqual(
    spool.segments,
  )
})

test('a camera that is added while the disk is full is shown, and is recorded once there is space', async () => {
  const video = await startVideo()
  const { site, context, admin } = video
  const freeDisk = await fillDisk(context.dataDir)
  const uid = await create(video, 'demo:gate')
  const { live } = site.supervisor(uid) ?? {}
  while (live?.newest() === undefined) await live?.waitForSegment(AbortSignal.timeout(60_000))
  const status = async () => (await video.ask('GET', `/v1/stream/${uid}`, { cookie: admin })).body
  expect(await status()).toMatchObject({ status: 'running' })
  expect(await logged(site, uid, /nothing is recorded/)).toBe('The disk is full or gone: nothing is recorded')
  freeDisk()
  await segments(site, uid, 1)
  expect(await site.index.newest(uid)).toBeDefined()
})

test('recording goes on after all recordings had to be deleted', async () => {
  const video = await startVideo()
  const { site, context } = video
  const uid = await create(video, 'demo:gate')
  await segments(site, uid, 1)
  const run = site.supervisor(uid)?.live.newest()?.run
  const { recording } = await site.index.open(uid)
  const older = { start: 0, finish: 1000, duration: 1, mediaStart: 0, bytes: 1, offset: 0 }
  if (run === undefined) throw new Error('nothing is recorded')
  await site.index.addChunk(uid, recording, { ...older, volume: 0, table: packTable([older], 1000) }, run)
  const isShort = { left: 1 }
  const retention = createRetention(context, site, async () => {
    isShort.left -= 1
    return { freeBytes: isShort.left < 0 ? 2e10 : 0, totalBytes: 2e10 }
  })
  await retention.sweep()
  await retention.stop()
  expect(await site.index.oldest(recording, Number.MAX_SAFE_INTEGER, 10)).toEqual([])
  await segments(site, uid, 1)
  expect((await site.index.newest(uid))?.run).toBe(run.id)
})

test.runIf(isOnFile)(
  'what may stay unnoted does where the disk takes nothing or the store is closed, and nothing else',
  async () => {
    const store = await memoryStore(new Map([['notes', ['CREATE TABLE notes (note TEXT NOT NULL)']]]))
    const note = (text: string | null) => () => store.run('INSERT INTO notes VALUES (?)', text)
    await ignoreDiskErrors(note('one'))
    await store.run('PRAGMA query_only = ON')
    await ignoreDiskErrors(note('lost'))
    await store.run('PRAGMA query_only = OFF')
    await expect(ignoreDiskErrors(note(null))).rejects.toThrow('NOT NULL')
    expect(await store.all(z.unknown(), 'SELECT note FROM notes')).toEqual([{ note: 'one' }])
    await store.close()
    await ignoreDiskErrors(note('late'))
    expect(['ENOSPC', 'EROFS', 'ENOENT'].map((code) => isDiskError(Object.assign(new Error(code), { code })))).toEqual([
      true,
      true,
      false,
    ])
  },
)
