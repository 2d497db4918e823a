import { expect, test } from 'vitest'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { t0 } from '../fixtures/engine.ts'
import { init, row } from '../fixtures/paused-stream.ts'
import { startVideo } from '../fixtures/video.ts'

test('a playlist of the archive knows of long segments before their chunk is indexed', async () => {
  const video = await startVideo()
  const { site, admin } = video
  await site.add({ ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x' })
  await site.index.open('door')
  const run = runOf(site.runId(), newRunKey(), init)
  const times = { start: t0, finish: t0 + 4000, duration: 4, mediaStart: 0 }
  const segment = { ...times, run: run.id, bytes: 1, volume: 0, file: `${t0}.spool`, offset: 0 }
  site.index.addUnindexed('door', segment, run)
  const numbers = { sequence: 0, discontinuity: 1, arrivedAt: t0 + 4000, parts: [] }
  site.supervisor('door')?.live.add({ ...segment, ...numbers }, run, 4)

  const range = `start_time=${new Date(t0).toISOString()}&end_time=${new Date(t0 + 60_000).toISOString()}`
  const archive = '/v1/stream/door/archive'
  const textOf = async (path: string) =>
    String((await video.ask('GET', `${archive}/${path}?${range}`, { cookie: admin })).body)
  expect(await textOf('recorded.m3u8')).toMatch(/#EXT-X-TARGETDURATION:4\n[^]*#EXTINF:4\.0/)
  expect(await textOf('compatible/recorded.m3u8')).toMatch(/#EXT-X-TARGETDURATION:4\n/)
})
