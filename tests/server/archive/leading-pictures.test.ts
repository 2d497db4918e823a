import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { boxesIn } from '../../../server/media/boxes.ts'
import { fragmentArguments } from '../../../server/media/encoding.ts'
import { readInit } from '../../../server/media/init.ts'
import { hasLeadingPictures } from '../../../server/media/transcode.ts'
import { t0 } from '../fixtures/engine.ts'
import { row } from '../fixtures/paused-stream.ts'
import { startVideo } from '../fixtures/video.ts'

/** Three segments of a second with open GOPs, and where each begins in the bytes. */
const filmed = () => {
  const codec = '-c:v libx264 -preset ultrafast -bf 3 -b_strategy 0 -g 10 -x264-params open-gop=1:scenecut=0'
  const source = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=10:d=3']
  const { stdout } = spawnSync('ffmpeg', [...source, '-pix_fmt', 'yuv420p', ...codec.split(' '), ...fragmentArguments])
  const starts = boxesIn(stdout).flatMap(({ type, start }) => (type === 'moof' ? [start] : []))
  const init = readInit(stdout.subarray(0, starts[0]))
  if (init === undefined) throw new Error('no init')
  return { init, segments: starts.slice(0, 3).map((start, index) => stdout.subarray(start, starts[index + 1])) }
}

test('a segment that has left the live playlist is transcoded with the one before it', async () => {
  const video = await startVideo()
  const { site, admin } = video
  await site.add({ ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x' })
  const { init, segments } = filmed()
  expect(segments.map((bytes) => hasLeadingPictures(bytes, init))).toEqual([false, true, true])
  const run = runOf(site.runId(), newRunKey(), init)
  const live = site.supervisor('door')?.live
  const read: number[] = []
  for (const [index, bytes] of segments.entries()) {
    const [start, finish] = [t0 + index * 1000, t0 + (index + 1) * 1000]
    const times = { start, finish, duration: 1, mediaStart: index, arrivedAt: finish }
    const located = { run: run.id, bytes: bytes.length, volume: 0, file: '', offset: 0, parts: [] }
    const readFromMemory = async () => {
      read.push(index)
      return bytes
    }
    // The last one doesn’t follow the others by its number, so that the playlist begins with it.
    live?.add({ ...times, ...located, readFromMemory, sequence: index * index, discontinuity: 1 }, run, 2)
  }
  expect([live?.listed().segments.length, live?.kept().length]).toEqual([1, 3])
  const url = `/v1/stream/door/archive/compatible/live/${t0 + 1000}.m4s`
  expect((await video.ask('GET', url, { cookie: admin })).status).toBe(200)
  expect(read).toEqual([1, 0])
})
