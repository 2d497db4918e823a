import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveOf, bytesOf } from '../fixtures/playlists.ts'
import { minuteAround, recordedOneAfterAnother } from '../fixtures/recordings.ts'
import { h264, h265, makeTape, tapes } from '../fixtures/tapes.ts'
import { decoded, probed } from '../fixtures/video.ts'

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
