import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { hasS3, type S3 } from '../../../scripts/s3.ts'
import { createBucketCheck } from '../../../server/archive/repair/bucket-check.ts'
import { repairArchive } from '../../../server/archive/repair/repair.ts'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import { dayMs, hourMs } from '../../../server/durations.ts'
import type { StorageOptions } from '../../../server/storage/storage-options.ts'
import { openBucket } from '../../../server/storage/bucket.ts'
import { archiveFolder } from '../../../server/storage/folders.ts'
import { NoVolume } from '../../../server/storage/write-target.ts'
import { openVolumes } from '../../../server/storage/volumes.ts'
import { openDatabaseOf } from '../../../server/store/open.ts'
import { databaseOf } from '../fixtures/database.ts'
import {
  keyOf,
  keysIn,
  open,
  pathOf,
  segmentsOf,
  statusOf,
  useS3,
  volumesOf,
  warningsOf,
  type Opened,
} from '../fixtures/s3-archive.ts'
import { startProxy } from './s3-proxy.ts'
import { add, newFolder, record, t0, uid } from '../fixtures/tape.ts'
import { bytesOf } from '../fixtures/playlists.ts'

const garbageOf = async ({ context: { store } }: Opened): Promise<number> =>
  (await store.all(z.object({ start: z.number() }), 'SELECT start FROM garbage')).length

describe.skipIf(!hasS3())('what goes from a bucket, and what repair finds there', () => {
  let s3: S3
  let client: S3Client
  useS3((started, itsClient) => {
    s3 = started
    client = itsClient
  })
  /** Sweeps what ended more than an hour before a second of the tape. */
  const sweep = async ({ context, site }: Opened, second: number): Promise<void> => {
    await site.change(uid, (row) => ({ ...row, depthHours: 1 }))
    const retention = createRetention({ ...context, now: () => t0 + second * 1000 + hourMs }, site)
    await retention.sweep()
    await retention.stop()
  }
  const repair = async (dataDir: string, archiveUrl: string) => {
    const store = await openDatabaseOf(join(dataDir, 'sightline.db'), await databaseOf(dataDir))
    const signal = new AbortController().signal
    const options = { store, dataDir, archiveDirs: [archiveFolder(dataDir)], archiveUrl, now: Date.now, signal }
    try {
      return await repairArchive({ ...options, onProgress: () => undefined, warn: () => undefined })
    } finally {
      await store.close()
    }
  }

  test('depth, locks and deletion hold, and objects are removed with their rows', async () => {
    const prefix = randomUUID()
    const video = await open(s3.urlOf('site', prefix))
    await add(video)
    await record(video, 0, 16, { chunkSeconds: 4 })
    const lock = { startTime: new Date(t0 + 4000), endTime: new Date(t0 + 8000), reason: 'theft' }
    const locked = await video.ask('POST', `/v1/stream/${uid}/archive/locks`, { cookie: video.admin, body: lock })
    expect(locked.status).toBe(200)
    await sweep(video, 12)
    expect(await volumesOf(video)).toEqual(['4 on 1', '12 on 1'])
    await video.site.handIn.settled()
    expect(await keysIn(client, prefix)).toEqual([4, 12].map(keyOf))
    expect(await garbageOf(video)).toBe(0)
    await video.site.remove(uid, true)
    await video.site.purge(new AbortController().signal)
    await video.site.handIn.settled()
    expect([await keysIn(client, prefix), await volumesOf(video), await garbageOf(video)]).toEqual([[], [], 0])
  })

  test('chunks that are deleted while the bucket is away are removed once it is back', async () => {
    const prefix = randomUUID()
    const video = await open(s3.urlOf('site', prefix))
    await add(video)
    await record(video, 0, 12, { chunkSeconds: 4 })
    await s3.cut()
    await sweep(video, 8)
    expect(await volumesOf(video)).toEqual(['8 on 1'])
    expect(await garbageOf(video)).toBe(2)
    await s3.start()
    expect(await keysIn(client, prefix)).toEqual([0, 4, 8].map(keyOf))
    await video.site.handIn.settled()
    expect([await keysIn(client, prefix), await garbageOf(video)]).toEqual([[keyOf(8)], 0])
  })

  test('a chunk that retention deletes while it is handed in leaves no object', async () => {
    const proxy = await startProxy(s3)
    const prefix = randomUUID()
    const video = await open(proxy.urlOf('site', prefix))
    await add(video)
    const { moveChunk } = video.site.index
    vi.spyOn(video.site.index, 'moveChunk').mockImplementationOnce(async (...args) => {
      await sweep(video, 4)
      return moveChunk(...args)
    })
    await record(video, 0, 4, { chunkSeconds: 4 })
    expect(proxy.seen.filter((each) => each.startsWith('PUT') && each.includes('.mp4'))).toHaveLength(1)
    await video.site.handIn.settled()
    expect([await volumesOf(video), await keysIn(client, prefix), await garbageOf(video)]).toEqual([[], [], 0])
  })

  test('while a bucket is slow, what is recorded waits on the disk, and all of it is handed in once', async () => {
    const proxy = await startProxy(s3)
    const prefix = randomUUID()
    const video = await open(proxy.urlOf('site', prefix))
    const { handIn } = video.site
    const isPut = (call: string): boolean => call.startsWith('PUT') && call.includes('.mp4')
    const puts = (): string[] => proxy.seen.filter(isPut)
    let isSlow = true
    proxy.fault = (method, path) => (isSlow && isPut(`${method} ${path}`) ? { bytesPerSecond: 1000 } : undefined)
    await add(video)
    await record(video, 0, 4, { chunkSeconds: 4, isHandedIn: false })
    handIn.wake()
    await expect.poll(() => puts().length).toBe(1)
    // Recording goes on while the first chunk is on its way.
    await record(video, 4, 20, { chunkSeconds: 4, isHandedIn: false })
    handIn.wake()
    const seconds = [0, 4, 8, 12, 16]
    expect(await volumesOf(video)).toEqual(seconds.map((second) => `${second} on 0`))
    const played = await Promise.all((await segmentsOf(video)).map((name) => statusOf(video, name)))
    expect(played.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect([puts().length, handIn.counts()]).toEqual([1, { handedIn: 0, failed: 0 }])

    isSlow = false
    await handIn.settled()
    expect(await volumesOf(video)).toEqual(seconds.map((second) => `${second} on 1`))
    expect(await keysIn(client, prefix)).toEqual(seconds.map(keyOf))
    expect([new Set(puts()).size, puts().length, proxy.left]).toEqual([5, 5, []])
    expect(handIn.counts()).toEqual({ handedIn: 5, failed: 0 })
  })

  test.each([
    ['gives nothing that no bucket has', false, ['0 on 0', '4 on 0']],
    ['gives its oldest if the options say so', true, []],
  ])('a full disk %s', async (_name, dropsOldest, left) => {
    const video = await open(s3.urlOf('site', randomUUID()), newFolder(), true, dropsOldest)
    await add(video)
    await s3.cut()
    await record(video, 0, 8, { chunkSeconds: 4, isHandedIn: false })
    const retention = createRetention(video.context, video.site, async () => ({ freeBytes: 0, totalBytes: 2e10 }))
    await retention.sweep()
    await retention.stop()
    expect(await volumesOf(video)).toEqual(left)
    await s3.start()
  })

  test('a disk that is nearly full takes no recordings until the bucket has taken some, unless the oldest may go', async () => {
    const video = await open(s3.urlOf('site', randomUUID()))
    const { store, dataDir, archiveDirs, archiveUrl } = video.context
    let freeBytes = 1e8
    const openedWith = async (more: Partial<StorageOptions>) => {
      const options = { store, dataDir, archiveDirs, archiveUrl, warn: () => undefined, ...more }
      const volumes = await openVolumes(options, async () => ({ freeBytes, totalBytes: 2e12, device: 1 }))
      onTestFinished(volumes.stop)
      return volumes
    }
    const volumes = await openedWith({})
    expect(volumes.isFull()).toBe(true)
    expect(() => volumes.targetFor(uid)).toThrow(NoVolume)
    const dropping = await openedWith({ dropsOldest: true })
    expect([dropping.isFull(), dropping.targetFor(uid).volume]).toEqual([false, 0])
    const without = await openedWith({ archiveUrl: undefined })
    expect([without.isFull(), without.targetFor(uid).volume]).toEqual([false, 0])
    vi.spyOn(video.site.volumes, 'isFull').mockReturnValue(true)
    expect(await warningsOf(video)).toEqual(['ARCHIVE_SPOOL_FULL'])
    freeBytes = 1e12
    await volumes.refresh()
    expect([volumes.isFull(), volumes.targetFor(uid).volume]).toEqual([false, 0])
  })

  test('repair rebuilds the index from the objects alone', async () => {
    const prefix = randomUUID()
    const url = s3.urlOf('site', prefix)
    const first = await open(url)
    await add(first)
    await record(first, 0, 12, { chunkSeconds: 4 })
    const names = await segmentsOf(first)
    const media = await Promise.all(names.map((name) => bytesOf(first, name)))
    await first.app.close()

    const dataDir = newFolder()
    const empty = await open(url, dataDir)
    await add(empty)
    await empty.app.close()
    expect((await repair(dataDir, url)).get(uid)).toMatchObject({
      restored: 6,
      removedRows: 0,
      movedFiles: [],
      failed: [],
    })
    const video = await open(url, dataDir, false)
    expect(await volumesOf(video)).toEqual(['0 on 1', '4 on 1', '8 on 1'])
    const again = await segmentsOf(video)
    expect(await Promise.all(again.map((name) => bytesOf(video, name)))).toEqual(media)
  })

  test('its free space is unknown, and limits no forecast', async () => {
    const prefix = randomUUID()
    const video = await open(s3.urlOf('site', prefix))
    await add(video)
    await record(video, 0, 4)
    const { body } = await video.ask('GET', '/v1/admin/retention', { cookie: video.admin })
    expect(body).toMatchObject({
      items: [{ uid, limit: 'none', daysAhead: null }],
      volumes: [
        { state: 'there', bytes: 0 },
        { path: `s3://site/${prefix}`, state: 'there', totalBytes: 0, freeBytes: 0, first: uid },
      ],
    })
  })

  test('no name in the bucket leads out of a folder', async () => {
    const prefix = randomUUID()
    const bucket = openBucket(s3.urlOf('site', prefix))
    onTestFinished(bucket.close)
    const names = ['..', '...', '-', 'a b', '..%2f', 'a'.repeat(300), 'door', 'door.sub']
    const keys = [...names.map((name) => `${name}/x`), 'sightline-volume.json']
    for (const key of keys)
      await client.send(new PutObjectCommand({ Bucket: 'site', Key: `${prefix}/${key}`, Body: 'x' }))
    expect(await bucket.recordings()).toEqual(['-', 'door.sub', 'door'])
    expect(await bucket.hours('door')).toEqual([])
    expect(await bucket.readMarker()).toBeUndefined()
  })

  test('repair removes rows without an object, and a start does not', async () => {
    const prefix = randomUUID()
    const url = s3.urlOf('site', prefix)
    const dataDir = newFolder()
    const first = await open(url, dataDir)
    await add(first)
    await record(first, 0, 12, { chunkSeconds: 4 })
    await first.app.close()
    rmSync(pathOf({ dataDir }, 4))
    await client.send(new DeleteObjectCommand({ Bucket: 'site', Key: `${prefix}/${keyOf(4)}` }))
    const second = await open(url, dataDir, false)
    expect(await volumesOf(second)).toEqual(['0 on 1', '4 on 1', '8 on 1'])
    const names = await segmentsOf(second)
    expect(await Promise.all(names.map(async (name) => (await statusOf(second, name)).status))).toEqual([
      200, 200, 404, 404, 200, 200,
    ])
    await second.app.close()
    expect((await repair(dataDir, url)).get(uid)).toMatchObject({ restored: 0, removedRows: 1, failed: [] })
    const video = await open(url, dataDir, false)
    expect(await volumesOf(video)).toEqual(['0 on 1', '8 on 1'])
  })

  test('a row from an older database, whose file was handed in since, finds its object', async () => {
    const url = s3.urlOf('site', randomUUID())
    const dataDir = newFolder()
    const first = await open(url, dataDir)
    await add(first)
    await record(first, 0, 4)
    // As a backup has it that was made before.
    await first.context.store.run('UPDATE chunks SET volume = 0')
    await first.context.store.run('DELETE FROM holdings')
    rmSync(pathOf({ dataDir }, 0))
    await first.app.close()
    const video = await open(url, dataDir, false)
    expect(await volumesOf(video)).toEqual(['0 on 1'])
    expect(existsSync(pathOf({ dataDir }, 0))).toBe(false)
  })

  test('without ARCHIVE_URL what is in the bucket is still played, and nothing is added to it', async () => {
    const prefix = randomUUID()
    const dataDir = newFolder()
    const first = await open(s3.urlOf('site', prefix), dataDir)
    await add(first)
    await record(first, 0, 4)
    await first.app.close()
    rmSync(pathOf({ dataDir }, 0))
    const video = await open('', dataDir, false)
    await record(video, 4, 8)
    expect(await volumesOf(video)).toEqual(['0 on 1', '4 on 0'])
    const names = await segmentsOf(video)
    expect(await Promise.all(names.map(async (name) => (await statusOf(video, name)).status))).toEqual([
      200, 200, 200, 200,
    ])
    expect(await keysIn(client, prefix)).toEqual([keyOf(0)])
    expect(await warningsOf(video)).toEqual([])
  })

  test('once a week the leader compares a bucket with the index, logs what has no row, and deletes nothing', async () => {
    const prefix = randomUUID()
    const video = await open(s3.urlOf('site', prefix))
    const { context, site } = video
    await add(video)
    await record(video, 0, 20, { chunkSeconds: 4 })
    await client.send(new PutObjectCommand({ Bucket: 'site', Key: `${prefix}/${uid}/notes.txt`, Body: 'x' }))
    await context.store.run('DELETE FROM chunks WHERE start = ?', t0 + 4000)
    await site.index.removeChunk((await site.index.recording(uid))?.recording ?? 0, t0 + 8000)
    let isLeader = false
    let time = Date.now()
    const lines: [object, string][] = []
    const note = (...line: [object, string]) => void lines.push(line)
    const [index, volumes] = [site.index, site.volumes]
    const options = { store: context.store, index, volumes, isLeader: () => isLeader, now: () => time, info: note }
    const check = createBucketCheck({ ...options, warn: note, pageSize: 2, pauseMs: 0 })
    onTestFinished(check.stop)
    // Retention removes a chunk while it is looked for.
    const chunksIn = vi.spyOn(index, 'chunksIn').mockImplementationOnce(async () => {
      await client.send(new DeleteObjectCommand({ Bucket: 'site', Key: `${prefix}/${keyOf(0)}` }))
      return []
    })
    await check.look()
    expect([lines, chunksIn.mock.calls]).toEqual([[], []])

    isLeader = true
    await check.look()
    const found = { bucket: `s3://site/${prefix}`, objects: 1, bytes: expect.any(Number), names: [keyOf(4)] }
    expect(lines).toEqual([[found, 'objects of the bucket have no row: `repair` indexes them']])
    await check.look()
    expect(lines).toHaveLength(1)
    expect(await keysIn(client, prefix)).toEqual(expect.arrayContaining([4, 12, 16].map(keyOf)))

    await client.send(new DeleteObjectCommand({ Bucket: 'site', Key: `${prefix}/${keyOf(4)}` }))
    time += 7 * dayMs
    await check.look()
    expect(lines.slice(1)).toEqual([[{ bucket: found.bucket }, 'every object of the bucket has its row']])
  })
})
