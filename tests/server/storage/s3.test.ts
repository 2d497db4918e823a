import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { hasS3, type S3 } from '../../../scripts/s3.ts'
import { openBucket } from '../../../server/storage/bucket.ts'
import { StorageAway } from '../../../server/storage/chunk-storage.ts'
import { chunkFile, spoolFile } from '../../../server/storage/folders.ts'
import { UsageError } from '../../../server/usage-error.ts'
import { bytesOf } from '../fixtures/playlists.ts'
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
} from '../fixtures/s3-archive.ts'
import { startProxy } from './s3-proxy.ts'
import { add, newFolder, record, t0, uid } from '../fixtures/tape.ts'
import { startVideo } from '../fixtures/video.ts'

describe.skipIf(!hasS3())('an archive in a bucket', () => {
  let s3: S3
  let client: S3Client
  useS3((started, itsClient) => {
    s3 = started
    client = itsClient
  })

  const newPrefix = (): string => randomUUID()

  test('is played and downloaded from there', async () => {
    const prefix = newPrefix()
    const video = await open(s3.urlOf('site', prefix))
    await add(video)
    await record(video, 0, 12, { chunkSeconds: 4 })
    expect(await keysIn(client, prefix)).toEqual([0, 4, 8].map(keyOf))
    expect(await volumesOf(video)).toEqual(['0 on 1', '4 on 1', '8 on 1'])
    for (const second of [0, 4, 8]) rmSync(pathOf(video, second))
    const names = await segmentsOf(video)
    const media = await Promise.all(names.map((name) => bytesOf(video, name)))
    expect(media.map((bytes) => bytes.toString('latin1', 4, 8))).toEqual(Array.from({ length: 6 }, () => 'moof'))
    const [start, end] = [t0, t0 + 12_000].map((moment) => new Date(moment).toISOString())
    const clip = await bytesOf(video, `/v1/stream/${uid}/archive/download?start_time=${start}&end_time=${end}`)
    expect(clip.toString('latin1', 4, 8)).toBe('ftyp')
    expect(clip.length).toBeGreaterThan(media.reduce((sum, { length }) => sum + length, 0) / 2)
    const picture = await video.app.inject({
      url: `/v1/stream/preview?stream_id=${uid}&time=${start}`,
      headers: { cookie: video.admin, host: 'localhost' },
    })
    expect(picture.headers['content-type']).toBe('image/jpeg')
    expect(await warningsOf(video)).toEqual([])
  })

  test('equal reads are one, and a viewer who leaves ends it', async () => {
    const proxy = await startProxy(s3)
    const video = await open(proxy.urlOf('site', newPrefix()))
    await add(video)
    await record(video, 0, 4)
    const [segment] = await video.site.index.within(uid, t0, t0 + 1000, 1)
    if (segment === undefined) throw new Error('nothing recorded')
    const gets = () => proxy.seen.filter((each) => each.startsWith('GET') && each.includes('.mp4')).length
    const viewer = new AbortController()
    await Promise.all([1, 2, 3].map(() => video.site.read(uid, segment, { signal: viewer.signal })))
    expect(gets()).toBe(1)
    proxy.fault = (method) => (method === 'GET' ? 'silent' : undefined)
    const leaving = new AbortController()
    const read = video.site.read(uid, segment, { signal: leaving.signal })
    await expect.poll(gets).toBe(2)
    leaving.abort()
    await expect(read).rejects.toMatchObject({ status: 503 })
    await expect.poll(() => proxy.left.length).toBe(1)
  })

  test('more reads than may wait are refused as if it were away, not as if they were gone', async () => {
    const proxy = await startProxy(s3)
    const video = await open(proxy.urlOf('site', newPrefix()))
    await add(video)
    await record(video, 0, 4)
    const [segment] = await video.site.index.within(uid, t0, t0 + 1000, 1)
    if (segment === undefined) throw new Error('nothing recorded')
    proxy.fault = (method) => (method === 'GET' ? 'silent' : undefined)
    const leaving = new AbortController()
    const { signal } = leaving
    const reads = Array.from({ length: 97 }, (_, offset) =>
      video.site.read(uid, segment, { signal, within: { offset, bytes: 1 } }),
    )
    const ends = Promise.allSettled(reads)
    await expect(reads.at(-1)).rejects.toBeInstanceOf(StorageAway)
    leaving.abort()
    expect((await ends).every(({ status }) => status === 'rejected')).toBe(true)
  })

  test('that is away: recording goes on, what it has is 503, and all of it is handed in later, in order and once', async () => {
    const proxy = await startProxy(s3)
    const prefix = newPrefix()
    const video = await open(proxy.urlOf('site', prefix))
    await add(video)
    await record(video, 0, 4)
    await s3.cut()
    await record(video, 4, 16, { chunkSeconds: 4, isHandedIn: false })
    video.site.handIn.wake()
    await expect.poll(() => warningsOf(video)).toEqual(['ARCHIVE_BUCKET_BEHIND'])
    expect(await video.context.metrics.metrics()).toMatch(/^sightline_hand_in_bytes [1-9]/m)
    const names = await segmentsOf(video)
    expect(names).toHaveLength(8)
    expect(await statusOf(video, names[0])).toMatchObject({
      status: 503,
      body: { code: 'Unavailable' },
      headers: { 'retry-after': '5' },
    })
    for (const name of names.slice(2)) expect((await bytesOf(video, name)).toString('latin1', 4, 8)).toBe('moof')
    proxy.seen.length = 0
    await s3.start()
    await video.site.handIn.settled()
    const puts = proxy.seen.filter((each) => each.startsWith('PUT')).map((each) => each.replace(/\?.*/, ''))
    expect(await keysIn(client, prefix)).toEqual([0, 4, 8, 12].map(keyOf))
    expect([...new Set(puts)]).toEqual([4, 8, 12].map((second) => `PUT /site/${prefix}/${keyOf(second)}`))
    expect(await volumesOf(video)).toEqual(['0 on 1', '4 on 1', '8 on 1', '12 on 1'])
    expect(await warningsOf(video)).toEqual([])
    expect((await statusOf(video, names[0])).status).toBe(200)
  })

  test('that is away is not asked for what live lists', async () => {
    const video = await open(s3.urlOf('site', newPrefix()))
    await add(video)
    await record(video, 0, 4)
    expect(await volumesOf(video)).toEqual(['0 on 1'])
    const [segment] = await video.site.index.within(uid, t0, t0 + 1000, 1)
    if (segment === undefined) throw new Error('nothing recorded')
    const whole = await video.site.read(uid, segment)
    await s3.cut()
    // Live knows a segment by the file that it was written to.
    expect(await video.site.read(uid, { ...segment, volume: 0, file: spoolFile(t0) })).toEqual(whole)
    await s3.start()
  })

  test('that hangs is 503 within the timeout', async () => {
    const video = await open(s3.urlOf('site', newPrefix()))
    await add(video)
    await record(video, 0, 4)
    const [name] = await segmentsOf(video)
    await s3.suspend()
    try {
      expect((await statusOf(video, name)).status).toBe(503)
    } finally {
      s3.resume()
    }
    expect((await statusOf(video, name)).status).toBe(200)
  })

  test('that hangs does not delay a stop', async () => {
    const video = await open(s3.urlOf('site', newPrefix()))
    await add(video)
    await record(video, 0, 4)
    await s3.suspend()
    try {
      await record(video, 4, 8, { isHandedIn: false })
      video.site.handIn.wake()
      const looking = video.site.volumes.refresh()
      await video.app.close()
      await looking
      expect(await video.site.volumes.verify(1).catch((error: unknown) => error)).toBeInstanceOf(StorageAway)
    } finally {
      s3.resume()
    }
  })

  test('that answers 503 or breaks off is asked again, and is 503 if that goes on', async () => {
    const proxy = await startProxy(s3)
    const video = await open(proxy.urlOf('site', newPrefix()))
    await add(video)
    let refusals = 2
    proxy.fault = (method) => {
      refusals -= 1
      return method === 'PUT' && refusals >= 0 ? { status: 503 } : undefined
    }
    await record(video, 0, 4)
    expect(await volumesOf(video)).toEqual(['0 on 1'])
    const [name] = await segmentsOf(video)
    const whole = await bytesOf(video, name ?? '')
    let breaks = 1
    proxy.fault = (method) => {
      breaks -= 1
      return method === 'GET' && breaks >= 0 ? 'truncated' : undefined
    }
    expect(await bytesOf(video, name ?? '')).toEqual(whole)
    proxy.fault = (method) => (method === 'GET' ? 'truncated' : undefined)
    expect((await statusOf(video, name)).status).toBe(503)
    proxy.fault = (method) => (method === 'GET' ? { status: 503 } : undefined)
    expect((await statusOf(video, name)).status).toBe(503)
  })

  test('a restart in the middle loses nothing, and hands in nothing twice', async () => {
    const [prefix, dataDir] = [newPrefix(), newFolder()]
    const url = s3.urlOf('site', prefix)
    const first = await open(url, dataDir)
    await add(first)
    await record(first, 0, 4)
    await s3.cut()
    await record(first, 4, 12, { chunkSeconds: 4, isHandedIn: false })
    await first.app.close()
    await s3.start()
    // A crash after one was handed in, before its row was updated.
    const bucket = openBucket(url)
    await bucket.put(uid, chunkFile(t0 + 4000), await readFile(pathOf({ dataDir }, 4)))
    bucket.close()
    const video = await open(url, dataDir, false)
    await video.site.handIn.settled()
    expect(await volumesOf(video)).toEqual(['0 on 1', '4 on 1', '8 on 1'])
    expect(await keysIn(client, prefix)).toEqual([0, 4, 8].map(keyOf))
    // The copy of a chunk that was handed in before goes with the repair of the start.
    expect(existsSync(pathOf({ dataDir }, 0))).toBe(false)
    expect(await warningsOf(video)).toEqual([])
  })

  test('another object of the same name is never overwritten; the chunk stays, and health says so', async () => {
    const prefix = newPrefix()
    const video = await open(s3.urlOf('site', prefix))
    await add(video)
    const Key = `${prefix}/${keyOf(4)}`
    await client.send(new PutObjectCommand({ Bucket: 'site', Key, Body: 'other' }))
    await record(video, 0, 12, { chunkSeconds: 4 })
    expect(await volumesOf(video)).toEqual(['0 on 1', '4 on 0', '8 on 1'])
    expect(await warningsOf(video)).toEqual(['ARCHIVE_BUCKET_CONFLICT'])
    const bucket = openBucket(s3.urlOf('site', prefix))
    expect(await bucket.sizeOf(uid, chunkFile(t0 + 4000))).toBe(5)
    bucket.close()
    for (const name of await segmentsOf(video)) expect((await statusOf(video, name)).status).toBe(200)
  })

  test.each<[string, () => string, Record<string, string>, string]>([
    ['a bucket that is missing', () => s3.urlOf('nowhere'), {}, 's3://nowhere/ can’t be used: there is no such bucket'],
    ['an unknown key', () => s3.urlOf('site'), { AWS_ACCESS_KEY_ID: 'who' }, 'the access key is unknown'],
    ['a wrong secret', () => s3.urlOf('site'), { AWS_SECRET_ACCESS_KEY: 'wrong' }, 'the secret key is wrong'],
    [
      'an endpoint where nobody is',
      () => 's3://site/?endpoint=http://127.0.0.1:9&region=us-east-1&forcePathStyle=true',
      {},
      'ECONNREFUSED',
    ],
  ])('%s stops the start, and says why', async (_name, url, env, message) => {
    Object.assign(process.env, env)
    try {
      const start = startVideo({ dataDir: newFolder(), archiveUrl: url() })
      await expect(start).rejects.toThrow(UsageError)
      await expect(start).rejects.toThrow(message.replace('’', "'"))
    } finally {
      Object.assign(process.env, s3.env)
    }
  })
})
