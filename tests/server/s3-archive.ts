import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import * as z from 'zod/mini'
import { startS3, type S3 } from '../../scripts/s3.ts'
import { chunkFile, streamFolder } from '../../server/storage/folders.ts'
import { withoutDiskWarning } from './harness.ts'
import { bytesOf } from './playlists.ts'
import { newFolder, t0, uid } from './tape.ts'
import { startVideo, type VideoHarness } from './video.ts'

/** Starts an S3 server with a bucket `site` before the tests of a file, and removes it after them. */
export const useS3 = (use: (s3: S3, client: S3Client) => void): void => {
  let s3: S3
  let client: S3Client
  beforeAll(async () => {
    s3 = await startS3()
    Object.assign(process.env, s3.env)
    client = new S3Client({ endpoint: s3.endpoint, region: 'us-east-1', forcePathStyle: true })
    await s3.makeBucket('site')
    use(s3, client)
  })
  afterAll(async () => {
    client.destroy()
    await s3.remove()
  })
}

/** The objects of recordings below a prefix of the bucket. */
export const keysIn = async (client: S3Client, prefix: string): Promise<string[]> => {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'site', Prefix: `${prefix}/${uid}` }))
  return Contents.map(({ Key = '' }) => Key.slice(prefix.length + 1))
}

export type Opened = VideoHarness & { dataDir: string }

export const open = async (
  archiveUrl: string,
  dataDir = newFolder(),
  addsAdmin = true,
  dropsOldest = false,
): Promise<Opened> => {
  const given = archiveUrl === '' ? undefined : archiveUrl
  const video = await startVideo({ dataDir, archiveUrl: given, dropsOldest, addsAdmin, defaults: withoutDiskWarning })
  await video.site.untilRepaired()
  return { ...video, dataDir }
}
export const keyOf = (second: number): string => `${uid}/${chunkFile(t0 + second * 1000)}`
export const pathOf = ({ dataDir }: Pick<Opened, 'dataDir'>, second: number): string =>
  join(streamFolder(dataDir, uid), chunkFile(t0 + second * 1000))

export const segmentsOf = async (video: VideoHarness): Promise<string[]> => {
  const [start, end] = [t0, t0 + 3_600_000].map((moment) => new Date(moment).toISOString())
  const list = `/v1/stream/${uid}/archive/recorded.m3u8?start_time=${start}&end_time=${end}`
  const lines = (await bytesOf(video, list)).toString().split('\n')
  return lines.flatMap((line) => (line.endsWith('.m4s') ? `/v1/stream/${uid}/archive/${line}` : []))
}
export const statusOf = ({ ask, admin }: VideoHarness, url: string | undefined) =>
  ask('GET', url ?? '', { cookie: admin })

const Warnings = z.object({ warnings: z.array(z.object({ code: z.string() })) })
export const warningsOf = async (video: VideoHarness): Promise<string[]> =>
  z
    .parse(Warnings, (await video.ask('GET', '/v1/system/health', { cookie: video.admin })).body)
    .warnings.map(({ code }) => code)

export const volumesOf = async ({ context: { store } }: VideoHarness): Promise<string[]> => {
  const row = z.object({ start: z.number(), volume: z.number() })
  const rows = await store.all(row, 'SELECT start, volume FROM chunks ORDER BY start')
  return rows.map(({ start, volume }) => `${(start - t0) / 1000} on ${volume}`)
}
