import { expect, test } from 'vitest'
import { subOf } from '../../../server/streams/substream.ts'
import { corner, move, openMotion } from '../fixtures/motion-search.ts'
import { movingBox, recordVideo, t0 } from '../fixtures/motion-video.ts'

test('H.265 is indexed too, from the substream if there is one', async () => {
  const video = await openMotion({ substreamSource: 'rtsp://192.0.2.1/sub' })
  await recordVideo(video, 'door', movingBox({ ...move, from: 40, to: 46 }, 60))
  const h265 = ['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=error:pools=none:open-gop=0']
  await recordVideo(video, subOf('door'), movingBox(move, 60, h265))
  await video.index()
  expect(await video.found(`area=${corner}`)).toMatchObject({
    items: [[20, 26, 'picture']],
    coverage: [[0, 60, 'picture']],
  })
  expect(await video.rows()).toBe(2)
})

test('where the substream is not recorded, the stream itself is indexed', async () => {
  const video = await openMotion({ substreamSource: 'rtsp://192.0.2.1/sub' })
  const { init, segments } = movingBox(move, 60)
  await recordVideo(video, 'door', { init, segments })
  await recordVideo(video, subOf('door'), { init, segments: segments.slice(15) }, { offset: 30 })
  await video.index()
  await video.index()
  expect(await video.found(`area=${corner}`)).toMatchObject({
    items: [[20, 26, 'picture']],
    coverage: [[0, 60, 'picture']],
  })
  expect(await video.rows()).toBe(2)
})

test('a stream is indexed whose substream was never recorded, and not while the substream has yet to be sealed', async () => {
  const video = await openMotion({ substreamSource: 'rtsp://192.0.2.1/sub' })
  const { site } = video
  await recordVideo(video, 'door', movingBox(move, 60))
  const run = await site.index.newestRun('door')
  const [segment] = await site.index.within('door', t0 + 44_000, t0 + 46_000, 1)
  if (run === undefined || segment === undefined) throw new Error('nothing is recorded')
  await site.index.open(subOf('door'))
  site.index.addUnindexed(subOf('door'), segment, run)
  await video.index()
  expect((await video.found(`area=${corner}`)).coverage).toEqual([
    [0, 30, 'picture'],
    [30, 60, 'size'],
  ])
  site.index.forgetUnindexed(subOf('door'))
  await video.index()
  expect((await video.found(`area=${corner}`)).coverage).toEqual([[0, 60, 'picture']])
})

test('a new chunk of the stream is not indexed while the segment of the substream may still grow', async () => {
  const video = await openMotion({ substreamSource: 'rtsp://192.0.2.1/sub' })
  const { init, segments } = movingBox(move, 60)
  await recordVideo(video, 'door', { init, segments })
  await video.site.index.open(subOf('door'))
  video.clock.now = t0 + 61_000
  await video.index()
  expect(await video.rows()).toBe(0)
  await recordVideo(video, subOf('door'), { init, segments: segments.slice(0, 15) })
  video.clock.now = t0 + 120_000
  await video.index()
  expect((await video.found(`area=${corner}`)).coverage).toEqual([
    [0, 30, 'picture'],
    [30, 60, 'size'],
  ])
  video.clock.now = t0 + 125_000
  await video.index()
  expect((await video.found(`area=${corner}`)).coverage).toEqual([[0, 60, 'picture']])
  expect(await video.rows()).toBe(2)
})
