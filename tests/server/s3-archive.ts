import { join } from 'node:path'
import * as z from 'zod/mini'
import { chunkFile, streamFolder } from '../../server/storage/folders.ts'
import { withoutDiskWarning } from './harness.ts'
import { bytesOf } from './playlists.ts'
import { newFolder, t0, uid } from './tape.ts'
import { startVideo, type VideoHarness } from './video.ts'

export type Opened = VideoHarness & { dataDir: string }

export const open = async (
  archiveUrl: string,
  dataDir = newFolder(),
  addsAdmin = true,
  dropsSpool = false,
): Promise<Opened> => {
  const given = archiveUrl === '' ? undefined : archiveUrl
  const video = await startVideo({ dataDir, archiveUrl: given, dropsSpool, addsAdmin, defaults: withoutDiskWarning })
  await video.site.repaired()
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
