import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { at, difference, greys } from './export-file.ts'
import { playlistOf, wholeOf } from './playlists.ts'
import { add, newFolder, open, record } from './tape.ts'
import type { VideoHarness } from './video.ts'

/** The middle of the picture: of 640 × 360 pixels those from 160, 90 to 480, 270. */
export const middle = { x: 0.25, y: 0.25, w: 0.5, h: 0.5 }
/** Without its edges, where blocks of the encoder are partly masked. */
export const masked = 'crop=288:148:176:106'
const beside = ['crop=144:360:0:0', 'crop=144:360:496:0', 'crop=320:76:160:0', 'crop=320:72:160:288']

/** A stream with six seconds of video, with masks. */
export const camera = async (masks: readonly object[] = []) => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 6, { scene: 'yard' })
  if (masks.length > 0) expect((await put(video, masks)).status).toBe(200)
  return video
}

export const put = async ({ ask, admin }: VideoHarness, masks: unknown, cookie = admin) => {
  const { status, body } = await ask('PUT', '/v1/stream/door/masks', { cookie, body: { masks } })
  return { status, body: Object(body) }
}

export const range = `start_time=${at(0)}&end_time=${at(4)}`
export const inFile = (bytes: Buffer, name = 'file.mp4'): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-masks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return file
}

export const plainPicture = async (video: VideoHarness): Promise<string> =>
  inFile(await wholeOf(video, (await playlistOf(video, 'door', range)).segments.slice(0, 1)))

/** Expects black below the mask, which is 16 of 255 in video, and nothing changed beside it. */
export const expectBurnedIn = (file: string, plain: string): void => {
  expect(Math.max(...greys(file, masked))).toBeLessThanOrEqual(20)
  expect(Math.max(...greys(plain, masked))).toBeGreaterThan(100)
  for (const area of beside) {
    expect(greys(file, area).length).toBeGreaterThan(0)
    expect(difference(greys(file, area), greys(plain, area)), area).toBeLessThan(6)
  }
}
