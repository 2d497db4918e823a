import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause } from '../fixtures/recordings.ts'
import { h264, h265, makeTape, played, tapes } from '../fixtures/tapes.ts'
import { camera, segments, serve, startVideo } from '../fixtures/video.ts'

test('HEAD of a download over a change of codec is refused as the download is', async () => {
  const video = await startVideo()
  const folder = tapes()
  const codecs = [h264(25), h265(25)].map((codec, index) => makeTape(join(folder, `${index}.mp4`), { video: codec }))
  const playing = { file: codecs[0] ?? '' }
  const address = await serve((request, response) => camera(played(playing.file, '-f', 'mpegts'))(request, response))
  const uid = await create(video, `${address}/`)
  const download = async (method: 'GET' | 'HEAD') => {
    const url = `${archiveOf(uid)}download?${minuteAround()}`
    const { statusCode, headers } = await video.app.inject({
      method,
      url,
      headers: { cookie: video.admin, host: 'localhost' },
    })
    return { statusCode, length: headers['content-length'], name: headers['content-disposition'] }
  }
  await segments(video.site, uid, 1)
  await pause(video, uid)
  const whole = await download('HEAD')
  expect(whole).toEqual({ statusCode: 200, length: expect.stringMatching(/^\d+$/), name: expect.any(String) })
  expect((await download('GET')).length).toBe(whole.length)

  playing.file = codecs[1] ?? ''
  expect((await video.ask('POST', `/v1/stream/resume/${uid}`, { cookie: video.admin })).status).toBe(200)
  await segments(video.site, uid, 1)
  await pause(video, uid)
  const refused = await download('GET')
  expect(refused).toMatchObject({ statusCode: 400, name: undefined })
  expect(await download('HEAD')).toEqual(refused)
})
