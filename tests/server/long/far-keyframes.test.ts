import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playlistOf, wholeOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause } from '../fixtures/recordings.ts'
import { h264, h265, makeTape, tapes } from '../fixtures/tapes.ts'
import { decoded, probed, segments, serve, startVideo } from '../fixtures/video.ts'

const tsPacketBytes = 188
const rate = 2
const gopSeconds = 60

test.each([
  ['H.264', h264(gopSeconds * rate), 'h264'],
  ['H.265', h265(gopSeconds * rate), 'hevc'],
])(
  'keyframes a minute apart, joined between two: %s',
  async (_name, codec, name) => {
    const video = await startVideo()
    const tape = readFileSync(
      makeTape(join(tapes(), 'tape.ts'), { rate, video: codec, sound: ['-c:a', 'aac'], seconds: 2 * gopSeconds + 10 }),
    )
    const joined = Math.floor(tape.length / (4 * tsPacketBytes)) * tsPacketBytes
    const address = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp2t' })
      response.end(tape.subarray(joined))
    })
    const uid = await create(video, `${address}/`)
    await segments(video.site, uid, 1)
    await pause(video, uid)
    const { segments: listed } = await playlistOf(video, uid, minuteAround())
    const whole = await wholeOf(video, listed.slice(0, 1))
    expect(decoded(whole)).toBe('')
    expect(probed(whole)).toMatchObject({ codecs: [name, 'aac'], packets: gopSeconds * rate })
  },
  300_000,
)
