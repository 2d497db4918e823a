import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { create } from '../fixtures/recordings.ts'
import { h264, makeTape, tapes } from '../fixtures/tapes.ts'
import { segments, serve, startVideo } from '../fixtures/video.ts'

test.each([
  ['that is copied', 'aac'],
  ['that is encoded again', 'mp2'],
])('sound %s and stops, in MPEG-TS, holds no pictures back', async (_how, codec) => {
  const video = await startVideo()
  const folder = tapes()
  const begin = makeTape(join(folder, 'begin.ts'), {
    video: h264(25),
    sound: ['-c:a', codec, '-af', 'atrim=end=2'],
    seconds: 6,
  })
  const rest = makeTape(join(folder, 'rest.ts'), { video: h264(25, '-output_ts_offset', '6'), seconds: 4 })
  const asked: ServerResponse[] = []
  const address = await serve((_request, response) => {
    asked.push(response)
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    response.write(readFileSync(begin))
  })
  const uid = await create(video, `${address}/`)
  await segments(video.site, uid, 4)
  // The camera sends on only now.
  asked.at(-1)?.write(readFileSync(rest))
  await segments(video.site, uid, 3)
  // ffprobe and one ffmpeg.
  expect(asked.length).toBe(2)
})
