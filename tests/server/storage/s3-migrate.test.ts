import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasS3, type S3 } from '../../../scripts/s3.ts'
import { moveArchive, type ArchiveMove } from '../../../server/move/archive.ts'
import { archiveFolder } from '../../../server/storage/folders.ts'
import { openDatabaseOf } from '../../../server/store/open.ts'
import { UsageError } from '../../../server/usage-error.ts'
import { databaseOf } from '../fixtures/database.ts'
import { bytesOf } from '../fixtures/playlists.ts'
import { keyOf, open, pathOf, segmentsOf, useS3, volumesOf, type Opened } from '../fixtures/s3-archive.ts'
import { startProxy } from './s3-proxy.ts'
import { add, newFolder, record } from '../fixtures/tape.ts'

const seconds = [0, 4, 8, 12]

describe.skipIf(!hasS3())('recordings moved to a bucket', () => {
  let s3: S3
  let client: S3Client
  useS3((started, itsClient) => {
    s3 = started
    client = itsClient
  })

  const move = async (dataDir: string, to: string | undefined, more: Partial<ArchiveMove> = {}) => {
    const store = await openDatabaseOf(join(dataDir, 'sightline.db'), await databaseOf(dataDir))
    const steps = { signal: new AbortController().signal, report: () => undefined, onProgress: () => undefined }
    try {
      const archiveDirs = [archiveFolder(dataDir)]
      return await moveArchive({ store, dataDir, archiveDirs, to, ...steps, ...more })
    } finally {
      await store.close()
    }
  }
  const mediaOf = async (video: Opened): Promise<Buffer[]> =>
    Promise.all((await segmentsOf(video)).map((name) => bytesOf(video, name)))
  /** A folder with four chunks, and what they play. */
  const recorded = async (dataDir = newFolder()) => {
    const video = await open('', dataDir)
    await add(video)
    await record(video, 0, 16, { chunkSeconds: 4 })
    const media = await mediaOf(video)
    await video.app.close()
    return { dataDir, media }
  }
  const filesOf = (dataDir: string): number[] => seconds.filter((second) => existsSync(pathOf({ dataDir }, second)))

  test('and back play the same, with the same count and checksum', async () => {
    const { dataDir, media } = await recorded()
    const url = s3.urlOf('site', randomUUID())
    const there = await move(dataDir, url)
    expect(there).toMatchObject({ chunks: 4, failed: [] })
    expect(filesOf(dataDir)).toEqual([])
    const video = await open(url, dataDir, false)
    expect(await volumesOf(video)).toEqual(seconds.map((second) => `${second} on 1`))
    expect(await mediaOf(video)).toEqual(media)
    await video.app.close()
    expect(await move(dataDir, undefined)).toEqual(there)
    expect(filesOf(dataDir)).toEqual(seconds)
    const back = await open('', dataDir, false)
    expect(await volumesOf(back)).toEqual(seconds.map((second) => `${second} on 0`))
    expect(await mediaOf(back)).toEqual(media)
  })

  test('continue where they were stopped, or where the bucket failed', async () => {
    const { dataDir, media } = await recorded()
    const proxy = await startProxy(s3)
    const url = proxy.urlOf('site', randomUUID())
    const stopping = new AbortController()
    const onProgress = () => stopping.abort()
    expect(await move(dataDir, url, { signal: stopping.signal, onProgress })).toBeUndefined()
    expect(filesOf(dataDir)).toEqual([4, 8, 12])
    proxy.fault = (method, path) => (method === 'PUT' && path.includes(keyOf(8)) ? { status: 503 } : undefined)
    expect(await move(dataDir, url)).toMatchObject({ chunks: 2, failed: [expect.stringContaining(keyOf(8))] })
    expect(filesOf(dataDir)).toEqual([8])
    proxy.fault = () => undefined
    expect(await move(dataDir, url)).toMatchObject({ chunks: 1, failed: [] })
    const video = await open(url, dataDir, false)
    expect(await mediaOf(video)).toEqual(media)
  })

  test('stay where they are if the copy in the bucket differs', async () => {
    const { dataDir } = await recorded()
    const proxy = await startProxy(s3)
    const url = proxy.urlOf('site', randomUUID())
    proxy.fault = (method, path) => (method === 'GET' && path.includes(keyOf(4)) ? 'damaged' : undefined)
    const moved = await move(dataDir, url)
    expect(moved).toMatchObject({ chunks: 3, failed: [expect.stringContaining('The copy differs from the original')] })
    expect(filesOf(dataDir)).toEqual([4])
    proxy.fault = () => undefined
    expect(await move(dataDir, url)).toMatchObject({ chunks: 1, failed: [] })
  })

  test('stay where they are if another object has their name', async () => {
    const { dataDir } = await recorded()
    const prefix = randomUUID()
    await client.send(new PutObjectCommand({ Bucket: 'site', Key: `${prefix}/${keyOf(4)}`, Body: 'other' }))
    const moved = await move(dataDir, s3.urlOf('site', prefix))
    expect(moved).toMatchObject({ chunks: 3, failed: [expect.stringContaining('There is another chunk')] })
    expect(filesOf(dataDir)).toEqual([4])
  })

  test('are refused without a bucket or without enough free space', async () => {
    const { dataDir } = await recorded()
    await expect(move(dataDir, s3.urlOf('nowhere'))).rejects.toThrow(UsageError)
    const url = s3.urlOf('site', randomUUID())
    await move(dataDir, url)
    await s3.cut()
    await expect(move(dataDir, undefined)).rejects.toThrow("can't be read: make it available first")
    await s3.start()
    expect(await move(dataDir, undefined)).toMatchObject({ chunks: 4, failed: [] })
  })

  test('a row without its file is named, and the others are moved', async () => {
    const { dataDir } = await recorded()
    rmSync(pathOf({ dataDir }, 8))
    writeFileSync(pathOf({ dataDir }, 12), 'short')
    const moved = await move(dataDir, s3.urlOf('site', randomUUID()))
    expect(moved?.chunks).toBe(2)
    expect(moved?.failed.map((each) => each.slice(0, keyOf(8).length))).toEqual([keyOf(8), keyOf(12)])
  })
})
