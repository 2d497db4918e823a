import { expect } from 'vitest'
import { camera, segments, serve, type VideoHarness } from './video.ts'

/** Adds a stream and answers its uid. */
export const create = async ({ ask, admin }: VideoHarness, streamSource: string, rest = {}): Promise<string> => {
  const { body, status } = await ask('POST', '/v1/stream', {
    cookie: admin,
    body: { name: 'Door', streamSource, ...rest },
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return String(Reflect.get(Object(body), 'uid'))
}

export const pause = async ({ ask, admin, site }: VideoHarness, uid: string): Promise<void> => {
  const stops = async () => (await site.logs.read(uid, undefined)).filter(({ message }) => message === 'Stopped').length
  const before = await stops()
  expect((await ask('POST', `/v1/stream/pause/${uid}`, { cookie: admin })).status).toBe(200)
  await expect.poll(stops).toBe(before + 1)
}

/** A range of the archive, as playlists and downloads are asked for it. */
export const minuteAround = (): string => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  return `start_time=${at(-60_000)}&end_time=${at(60_000)}`
}

/** Records so many segments of a camera that ffmpeg plays, and pauses it. */
export const recordFor = async (video: VideoHarness, args: string[], count: number, type?: string) => {
  const uid = await create(video, `${await serve(camera(args, type))}/`)
  await segments(video.site, uid, count)
  await pause(video, uid)
  return { uid, base: `/v1/stream/${uid}/archive` }
}
