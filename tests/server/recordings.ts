import { expect } from 'vitest'
import { played } from './tapes.ts'
import { camera, segments, serve, startVideo, type VideoHarness } from './video.ts'

/** Adds a stream and returns its uid. */
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

/** The query of a range of the archive. */
export const minuteAround = (): string => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  return `start_time=${at(-60_000)}&end_time=${at(60_000)}`
}

/** Records `count` segments of a camera that ffmpeg plays, then pauses the stream. */
export const recordFor = async (video: VideoHarness, args: string[], count: number, type?: string) => {
  const uid = await create(video, `${await serve(camera(args, type))}/`)
  await segments(video.site, uid, count)
  await pause(video, uid)
  return { uid, base: `/v1/stream/${uid}/archive` }
}

/** A recording of one tape after another; `starts`: of each tape's first segment. */
export const recordedOneAfterAnother = async (files: readonly string[]) => {
  const video = await startVideo()
  const playing = { file: '' }
  const address = await serve((request, response) => camera(played(playing.file, '-f', 'mpegts'))(request, response))
  const starts: number[] = []
  let uid = ''
  for (const file of files) {
    playing.file = file
    if (uid === '') uid = await create(video, `${address}/`, { archive: { isEnable: true, depthHours: -1 } })
    else expect((await video.ask('POST', `/v1/stream/resume/${uid}`, { cookie: video.admin })).status).toBe(200)
    const before = Date.now()
    await segments(video.site, uid, 2)
    await pause(video, uid)
    const [first] = (await video.site.index.within(uid, 0, Date.now(), 100)).filter(({ start }) => start > before)
    starts.push(first?.start ?? Number.NaN)
  }
  return { video, uid, starts }
}
