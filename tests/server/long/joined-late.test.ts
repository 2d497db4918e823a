import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { create } from '../fixtures/recordings.ts'
import { cameraArguments, segments, serve, startVideo } from '../fixtures/video.ts'

/** One ffmpeg that all who ask join where it is, as at a camera with keyframes `seconds` apart. */
const broadcast = async (seconds: number): Promise<string> => {
  const clients = new Set<ServerResponse>()
  const args = [...cameraArguments({ keyframeSeconds: seconds }), '-f', 'mpegts', 'pipe:1']
  const ffmpeg = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => {
    ffmpeg.kill('SIGKILL')
  })
  ffmpeg.stdout.on('data', (chunk: Buffer) => {
    for (const client of clients) client.write(chunk)
  })
  await once(ffmpeg.stdout, 'data')
  return serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    clients.add(response)
    response.on('close', () => clients.delete(response))
  })
}

test('a camera that is joined long before its next keyframe is waited for, and recorded from that on, with its sound', async () => {
  const video = await startVideo()
  const address = `${await broadcast(9)}/camera.ts`
  const { body } = await video.ask('GET', `/v1/stream/probe?url=${encodeURIComponent(address)}`, {
    cookie: video.admin,
  })
  expect(body).toMatchObject({
    format: 'mpegts',
    tracks: [
      { type: 'video', codec: 'h264', width: 320, height: 180 },
      { type: 'audio', codec: 'aac' },
    ],
  })
  const uid = await create(video, address)
  await segments(video.site, uid, 2)
  const recorded = await video.site.index.within(uid, 0, Date.now() + 60_000, 10)
  expect(recorded.map(({ duration, run }) => [Math.round(duration * 100) / 100, run === recorded[0]?.run])).toEqual([
    [9, true],
    [9, true],
  ])
})
