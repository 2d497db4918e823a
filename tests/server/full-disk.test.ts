import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { streamFolder } from '../../server/archive/files.ts'
import { createRetention } from '../../server/archive/retention.ts'
import { ignoreDiskError } from '../../server/store/database.ts'
import { isDiskError } from '../../server/store/disk-error.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import { logged, segments, startVideo } from './video.ts'

test('while the disk takes nothing live goes on from memory and whoever is signed in goes on; then recording does', async () => {
  const video = await startVideo()
  const { app, site, context, admin } = video
  const { body } = await video.ask('POST', '/v1/stream', {
    cookie: admin,
    body: { name: 'Door', streamSource: 'demo:gate' },
  })
  const uid = String(Reflect.get(Object(body), 'uid'))
  await segments(site, uid, 2)

  context.db.exec('PRAGMA query_only = ON')
  const live = site.supervisor(uid)?.live
  const heldOne = () => live?.listed().segments.find(({ held }) => held !== undefined)
  while (heldOne() === undefined) await live?.next(AbortSignal.timeout(60_000))
  const held = heldOne()
  // Another address is something to be noted of a session.
  const get = (url: string) =>
    app.inject({ url, headers: { cookie: admin, host: 'localhost' }, remoteAddress: '192.0.2.9' })
  const base = `/v1/stream/${uid}`
  const playlist = await get(`${base}/archive/live.m3u8`)
  expect(playlist.body).toContain(`live/${held?.start}.m4s`)
  expect((await get(`${base}/archive/live/${held?.start}.m4s`)).rawPayload).toEqual(held?.held)
  expect((await get(base)).json()).toMatchObject({ status: 'running' })
  expect((await get('/v1/streams')).statusCode).toBe(200)
  expect(existsSync(join(streamFolder(context.dataDir, uid), held?.file ?? ''))).toBe(true)
  expect(site.index.startingAt(uid, held?.start ?? 0)).toBeUndefined()

  context.db.exec('PRAGMA query_only = OFF')
  await segments(site, uid, 1)
  expect(await logged(site, uid, /^Recording again/)).toMatch(/nothing was recorded for \d+ s/)
  // What found room for its file, but none for its row.
  expect(await logged(site, uid, /^After a crash/)).toMatch(/segments without an index row were brought back/)
  expect(site.index.startingAt(uid, held?.start ?? 0)).toMatchObject({ duration: held?.duration, bytes: held?.bytes })
})

test('a camera that comes while the disk takes nothing is said to wait for room, and runs once there is some', async () => {
  const video = await startVideo()
  const { site, context, admin } = video
  const uid = 'door'
  await site.add({
    uid,
    name: 'Door',
    source: 'demo:gate',
    tags: [],
    location: '',
    marker: '',
    isArchived: true,
    depthHours: -1,
    isOnDemand: true,
    isPaused: false,
    owner: null,
    createdAt: 0,
  })
  context.db.exec('PRAGMA query_only = ON')
  const statusWatched = () => {
    site.supervisor(uid)?.extendLease()
    return site.supervisor(uid)?.status()
  }
  await expect.poll(statusWatched, { timeout: 60_000 }).toEqual({ status: 'failed', failureReason: 'The disk is full' })
  context.db.exec('PRAGMA query_only = OFF')
  await segments(site, uid, 1)
  expect((await video.ask('GET', `/v1/stream/${uid}`, { cookie: admin })).body).toMatchObject({ status: 'running' })
})

test('recording goes on after all that was recorded had to go, older runs that came later too', async () => {
  const video = await startVideo()
  const { site, context, admin } = video
  const { body } = await video.ask('POST', '/v1/stream', {
    cookie: admin,
    body: { name: 'Door', streamSource: 'demo:gate' },
  })
  const uid = String(Reflect.get(Object(body), 'uid'))
  await segments(site, uid, 1)
  const [run, numbers] = [site.index.newestRun(uid), site.index.numbers(uid)]
  if (run === undefined || numbers === undefined) throw new Error('nothing is recorded')
  // As where the past is made while the camera runs.
  site.index.addRun(numbers.recording, run.init)
  const isShort = { left: 1 }
  const retention = createRetention(context, site, async () => {
    isShort.left -= 1
    return { freeBytes: isShort.left < 0 ? 2e10 : 0, totalBytes: 2e10 }
  })
  await retention.sweep()
  await retention.stop()
  await segments(site, uid, 1)
  expect(site.index.newest(uid)?.run).toBe(run.id)
})

test('what may stay unnoted does where the disk takes nothing, and nothing else', () => {
  const db = openDatabase(':memory:')
  db.exec('CREATE TABLE notes (note TEXT NOT NULL)')
  const note = (text: string | null) => () => void db.prepare('INSERT INTO notes VALUES (?)').run(text)
  ignoreDiskError(note('one'))
  db.exec('PRAGMA query_only = ON')
  ignoreDiskError(note('lost'))
  db.exec('PRAGMA query_only = OFF')
  expect(() => ignoreDiskError(note(null))).toThrow('NOT NULL')
  expect(db.prepare('SELECT note FROM notes').all()).toEqual([{ note: 'one' }])
  expect(['ENOSPC', 'EROFS', 'ENOENT'].map((code) => isDiskError(Object.assign(new Error(code), { code })))).toEqual([
    true,
    true,
    false,
  ])
  db.close()
})
