import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { verifyExport, type VerifiedExport } from '../../src/api/export-file/verify-export.ts'
import { readZip, type FileSource } from '../../src/api/export-file/zip-reader.ts'
import type { VideoHarness } from './video.ts'
import { t0 } from './tape.ts'

export const at = (seconds: number): string => new Date(t0 + seconds * 1000).toISOString()

type Asked = { cookie?: string; more?: object }

/** Requests an export of ranges `[stream, from, to]` in seconds after t0; returns its id. */
export const askFor = async (
  { ask, admin }: VideoHarness,
  items: readonly (readonly [string, number, number])[],
  { cookie = admin, more = {} }: Asked = {},
) => {
  const body = {
    items: items.map(([streamId, from, to]) => ({ streamId, startTime: at(from), endTime: at(to) })),
    ...more,
  }
  const answer = await ask('POST', '/v1/exports', { cookie, body })
  return { status: answer.status, body: Object(answer.body), id: String(Object(answer.body).id) }
}

/** Resolves when an export is ready or has failed. */
export const made = async ({ ask, admin }: VideoHarness, id: string) =>
  vi.waitFor(
    async () => {
      const { body } = await ask('GET', `/v1/export/${id}`, { cookie: admin })
      expect(['ready', 'failed']).toContain(Object(body).status)
      return Object(body)
    },
    { timeout: 20_000, interval: 20 },
  )

export const fileOf = async (
  { app, admin }: Pick<VideoHarness, 'app' | 'admin'>,
  id: string,
  headers: Record<string, string> = {},
) => {
  const reply = await app.inject({
    method: 'GET',
    url: `/v1/export/${id}/file`,
    headers: { host: 'localhost', origin: 'http://localhost', cookie: admin, ...headers },
  })
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload }
}

export const sourceOf = (bytes: Buffer): FileSource => ({
  size: bytes.length,
  read: async (from, to) => bytes.subarray(from, to),
})

export const entriesOf = async (zip: Buffer): Promise<Map<string, Buffer>> => {
  const entries = await readZip(sourceOf(zip), 1000)
  return new Map(entries.map(({ name, from, to }) => [name, zip.subarray(from, to)]))
}

export const checked = (zip: Buffer, key?: string): Promise<VerifiedExport> => verifyExport(sourceOf(zip), { key })

/** The report of ffprobe about a file. */
export const lookedAt = (bytes: Buffer) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'file.mp4')
  writeFileSync(file, bytes)
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-show_chapters', '-show_packets', file]
  const { stdout, stderr } = spawnSync('ffprobe', args, { maxBuffer: 1e8 })
  expect(stderr.toString()).toBe('')
  const { format, streams, chapters, packets } = JSON.parse(stdout.toString())
  return { format, streams, chapters, packets, file }
}

/** The brightness of each pixel of the first frame, after a filter. */
export const greys = (file: string, filter: string): Buffer => {
  const args = ['-v', 'error', '-i', file, '-frames:v', '1', '-vf', `${filter},format=gray`, '-f', 'rawvideo', 'pipe:1']
  return spawnSync('ffmpeg', args).stdout
}

export const difference = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, point, index) => sum + Math.abs(point - (other[index] ?? 0)), 0) / one.length
