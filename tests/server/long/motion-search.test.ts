import { expect, test, vi } from 'vitest'
import { BrokenTable } from '../../../server/archive/format/chunk-table.ts'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import { makeBox } from '../../../server/media/boxes.ts'
import { createMotionIndexer } from '../../../server/motion/motion-index.ts'
import { at, corner, elsewhere, move, openMotion } from '../fixtures/motion-search.ts'
import { movingBox, recordVideo, t0 } from '../fixtures/motion-video.ts'
import type { VideoHarness } from '../fixtures/video.ts'

test('a box that moves in a corner is found there, at its seconds, and nowhere else', async () => {
  const video = await openMotion()
  await recordVideo(video, 'door', movingBox(move, 60))
  await video.index()
  const here = await video.found(`area=${corner}`)
  expect(here).toMatchObject({
    items: [[20, 26, 'picture']],
    coverage: [[0, 60, 'picture']],
    indexedUntil: 60,
    searchedUntil: 60,
  })
  expect(here.scores[0]).toBeGreaterThan(0.5)
  expect((await video.found('sensitivity=90')).items).toEqual([[20, 26, 'picture']])
  expect((await video.found(`area=${elsewhere}&sensitivity=100`)).items).toEqual([])
})

/** Segments of 500 kB each, most of it after the keyframe. */
const padded = ({ init, segments }: ReturnType<typeof movingBox>) => ({
  init,
  segments: segments.map((bytes) => Buffer.concat([bytes, makeBox('free', Buffer.alloc(500_000 - bytes.length))])),
})

/** The share of the recorded bytes that is read from now on. */
const shareRead = ({ site }: VideoHarness, segments: readonly Buffer[]): (() => number) => {
  const reading = site.volumes.available().map(({ id }) => vi.spyOn(site.volumes.storage(id), 'read'))
  const ranges = () => reading.flatMap(({ mock }) => mock.calls.map(([, , range]) => range))
  return () => ranges().reduce((sum, { bytes }) => sum + bytes, 0) / Buffer.concat(segments).length
}

test('the index reads little more than the keyframes', async () => {
  const video = await openMotion()
  const tape = padded(movingBox(move, 30))
  await recordVideo(video, 'door', tape)
  const share = shareRead(video, tape.segments)
  await video.index()
  expect((await video.found(`area=${corner}`)).coverage).toContainEqual([0, 30, 'picture'])
  expect(share()).toBeGreaterThan(0)
  expect(share()).toBeLessThan(0.2)
})

test('changes of the scene are found by little more than the keyframes', async () => {
  const video = await openMotion()
  const { site } = video
  const tape = padded(movingBox(move, 2))
  await recordVideo(video, 'door', tape)
  const share = shareRead(video, tape.segments)
  const [segment] = await site.index.within('door', t0, t0 + 1, 1)
  const run = await site.index.newestRun('door')
  if (segment === undefined || run === undefined) throw new Error('nothing is recorded')
  for (const listener of site.segmentListeners) listener('door', segment, run)
  await expect.poll(share).toBeGreaterThan(0)
  expect(share()).toBeLessThan(0.2)
})

test('without a motion index, the size of the video tells when something moved, and the answer says so', async () => {
  const video = await openMotion()
  await recordVideo(video, 'door', movingBox(move, 60))
  const found = await video.found(`area=${elsewhere}&sensitivity=100`)
  expect(found.items).toContainEqual([20, 26, 'size'])
  expect(found).toMatchObject({ coverage: [[0, 60, 'size']], indexedUntil: null })
})

test('only chunks without an index are indexed; pictures that cannot be decoded are searched by size', async () => {
  const video = await openMotion()
  const { init, segments } = movingBox(move, 60)
  await recordVideo(video, 'door', { init, segments: segments.slice(0, 15) })
  await video.index()
  const broken = segments.slice(15).map((segment) => {
    const bytes = Buffer.from(segment)
    return bytes.fill(0, bytes.indexOf('mdat', 0, 'latin1') + 4)
  })
  await recordVideo(video, 'door', { init, segments: broken }, { offset: 30 })
  await video.index()
  await video.index()
  expect(await video.rows()).toBe(2)
  expect(await video.found(`area=${corner}`)).toMatchObject({
    items: [[20, 26, 'picture']],
    coverage: [
      [0, 30, 'picture'],
      [30, 60, 'size'],
    ],
    indexedUntil: 60,
  })
})

test('the seconds at the end of the index that it lacks are not searched by size, more of them are', async () => {
  const video = await openMotion()
  const { init, segments } = movingBox(move, 60)
  await recordVideo(video, 'door', { init, segments })
  await video.index()
  await recordVideo(video, 'door', { init, segments: segments.slice(0, 1) }, { offset: 60 })
  const indexed = [0, 60, 'picture']
  expect(await video.found('', 120)).toMatchObject({ coverage: [indexed], searchedUntil: 120 })
  await recordVideo(video, 'door', { init, segments: segments.slice(0, 14) }, { offset: 62 })
  expect((await video.found('', 120)).coverage).toEqual([indexed, [60, 90, 'size']])
})

test('a backlog is indexed after what was recorded lately', async () => {
  const video = await openMotion()
  const { clock, context } = video
  const tape = movingBox(move, 60)
  await recordVideo(video, 'door', tape)
  await recordVideo(video, 'door', tape, { offset: 3500 })
  clock.now = Date.parse(at(3570))
  const written = vi.spyOn(context.store, 'run')
  await video.index()
  const starts = written.mock.calls.flatMap(([sql, , start]) => (sql.includes('INTO motion') ? [Number(start)] : []))
  expect(starts.map((start) => (start - Date.parse(at(0))) / 1000)).toEqual([3500, 3530, 0, 30])
})

test('a chunk whose table is broken does not hold up the next one', async () => {
  const video = await openMotion()
  await recordVideo(video, 'door', movingBox(move, 60))
  const { context, site, clock } = video
  const { within } = site.index
  vi.spyOn(site.index, 'within').mockImplementation(async (uid, from, to, limit) => {
    if (from === Date.parse(at(0))) throw new BrokenTable('The table ends too soon')
    return within(uid, from, to, limit)
  })
  const indexer = createMotionIndexer({ ...context, now: () => clock.now }, site, 0)
  await indexer.indexAll()
  await indexer.indexAll()
  await indexer.stop()
  expect((await video.found(`area=${corner}`)).coverage).toContainEqual([30, 60, 'picture'])
})

test('retention and a purge remove the motion index with its chunks', async () => {
  const video = await openMotion({ depthHours: 1 })
  const { site, context, ask, admin, clock } = video
  await recordVideo(video, 'door', movingBox(move, 60))
  await video.index()
  expect(await video.rows()).toBe(2)
  clock.now += 45_000
  const retention = createRetention({ ...context, now: () => clock.now }, site)
  await retention.sweep()
  await retention.stop()
  expect(await video.rows()).toBe(1)
  await ask('DELETE', '/v1/stream/door?purge=true', { cookie: admin })
  await expect.poll(video.rows).toBe(0)
})

test('a search needs the right to the archive, a range of at most 31 days and an area within the picture', async () => {
  const video = await openMotion()
  const { ask, addUser, signIn, admin } = video
  await addUser('ann')
  expect((await video.search('', await signIn('ann'))).status).toBe(404)
  const bad = ['area=0,0,0,1', 'area=0.5,0,0.6,1', 'area=1,2', 'area=-1,0,1,1', 'sensitivity=0', 'sensitivity=101']
  expect(await Promise.all(bad.map(async (query) => (await video.search(query)).status))).toEqual(bad.map(() => 400))
  const range = async (from: string, to: string) => {
    const { body } = await ask('GET', `/v1/stream/door/archive/motion?from=${from}&to=${to}`, { cookie: admin })
    return body
  }
  expect(await range(at(10), at(10))).toMatchObject({ code: 'ValidationError' })
  expect(await range(at(0), at(32 * 86_400))).toMatchObject({ code: 'TimeRangeIsTooLong' })
  expect(await range(at(0), at(86_400))).toEqual({
    items: [],
    coverage: [],
    searchedUntil: at(86_400),
    indexedUntil: null,
  })
})
