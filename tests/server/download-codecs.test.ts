import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveOf, bytesOf } from './playlists.ts'
import { create, minuteAround, pause } from './recordings.ts'
import { h264, h265, makeTape, played, tapes } from './tapes.ts'
import { camera, decoded, probed, segments, serve, startVideo, widthsOf } from './video.ts'

/** A recording of one tape after another; `starts` are those of each one's first segment. */
const recordedOneAfterAnother = async (files: readonly string[]) => {
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

test('a download over a change of codec is refused, and says when the codec changes', async () => {
  const folder = tapes()
  const { video, uid, starts } = await recordedOneAfterAnother([
    makeTape(join(folder, 'first.mp4'), { video: h264(25) }),
    makeTape(join(folder, 'second.mp4'), { video: h265(25) }),
  ])
  const change = new Date(starts[1] ?? 0).toISOString()
  const download = `${archiveOf(uid)}download`
  const { status, body, headers } = await video.ask('GET', `${download}?${minuteAround()}`, { cookie: video.admin })
  expect({ status, body, disposition: headers['content-disposition'] }).toEqual({
    status: 400,
    body: {
      code: 'ValidationError',
      details: { end_time: `The codec changes at ${change}: download up to there` },
    },
    disposition: undefined,
  })
  const [from, until] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString())
  const before = await bytesOf(video, `${download}?start_time=${from}&end_time=${change}`)
  const after = await bytesOf(video, `${download}?start_time=${change}&end_time=${until}`)
  expect([before, after].map((bytes) => [probed(bytes).codecs, decoded(bytes)])).toEqual([
    [['h264'], ''],
    [['hevc'], ''],
  ])
})

test('a download goes on where an H.265 camera changed its size', async () => {
  const folder = tapes()
  const { video, uid } = await recordedOneAfterAnother([
    makeTape(join(folder, 'first.mp4'), { size: '320x180', video: h265(25) }),
    makeTape(join(folder, 'second.mp4'), { size: '640x360', video: h265(25) }),
  ])
  const whole = await bytesOf(video, `${archiveOf(uid)}download?${minuteAround()}`)
  expect(decoded(whole)).toBe('')
  const widths = widthsOf(whole)
  const [small, large] = [320, 640].map((width) => widths.filter((each) => each === width).length)
  expect(widths).toEqual([
    ...Array.from({ length: small ?? 0 }, () => 320),
    ...Array.from({ length: large ?? 0 }, () => 640),
  ])
  expect([small, large].map((count) => (count ?? 0) >= 50)).toEqual([true, true])
})
