import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { MotionAnswer } from '../../src/api/contract/motion.ts'
import { createRetention } from '../../server/archive/retention.ts'
import { createMotionIndexer } from '../../server/motion/motion-index.ts'
import { subOf } from '../../server/streams/substream.ts'
import { movingBox, recordVideo, t0 } from './motion-video.ts'
import { row } from './paused-stream.ts'
import { startVideo } from './video.ts'

const hourMs = 3_600_000
const at = (seconds: number) => new Date(t0 + seconds * 1000).toISOString()
const move = { from: 20, to: 26, x: 20, y: 20 }
const corner = '0,0,0.5,0.5'
const elsewhere = '0.5,0.5,0.5,0.5'
const Count = z.object({ count: z.number() })

const open = async (change: { depthHours?: number; substreamSource?: string } = {}) => {
  const clock = { now: t0 + hourMs }
  const video = await startVideo({ now: () => clock.now })
  const { site, ask, admin, context } = video
  await site.add({ ...row, source: 'rtsp://192.0.2.1/x', uid: 'door', name: 'Door', ...change })
  const index = async () => {
    const indexer = createMotionIndexer({ ...context, now: () => clock.now }, site, 0)
    await indexer.indexAll()
    await indexer.stop()
  }
  const search = async (query: string, cookie = admin) => {
    const answer = await ask('GET', `/v1/stream/door/archive/motion?from=${at(0)}&to=${at(60)}&${query}`, { cookie })
    return { status: answer.status, body: answer.body }
  }
  const found = async (query: string) => {
    const { body } = await search(query)
    const { items, coverage, indexedUntil, searchedUntil } = MotionAnswer.parse(body)
    const second = (moment: number) => (moment - t0) / 1000
    return {
      items: items.map(({ startTime, endTime, source }) => [second(startTime), second(endTime), source]),
      scores: items.map(({ score }) => score),
      coverage: coverage.map(({ startTime, endTime, source }) => [second(startTime), second(endTime), source]),
      indexedUntil: indexedUntil == null ? null : second(indexedUntil),
      searchedUntil: second(searchedUntil),
    }
  }
  const rows = async () => (await context.store.get(Count, 'SELECT count(*) AS count FROM motion'))?.count
  return { ...video, clock, index, search, found, rows }
}

test('a box that moves in a corner is found there, at its seconds, and nowhere else', async () => {
  const video = await open()
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

test('H.265 is indexed too, from the substream if there is one', async () => {
  const video = await open({ substreamSource: 'rtsp://192.0.2.1/sub' })
  await recordVideo(video, 'door', movingBox({ ...move, from: 40, to: 46 }, 60))
  const h265 = ['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=error:pools=none:open-gop=0']
  await recordVideo(video, subOf('door'), movingBox(move, 60, h265))
  await video.index()
  expect(await video.found(`area=${corner}`)).toMatchObject({
    items: [[20, 26, 'picture']],
    coverage: [[0, 60, 'picture']],
  })
})

test('without a motion index, the size of the video tells when something moved, and the answer says so', async () => {
  const video = await open()
  await recordVideo(video, 'door', movingBox(move, 60))
  const found = await video.found(`area=${elsewhere}&sensitivity=100`)
  expect(found.items).toContainEqual([20, 26, 'size'])
  expect(found).toMatchObject({ coverage: [[0, 60, 'size']], indexedUntil: null })
})

test('only chunks without an index are indexed; pictures that cannot be decoded are searched by size', async () => {
  const video = await open()
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

test('retention and a purge remove the motion index with its chunks', async () => {
  const video = await open({ depthHours: 1 })
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
  const video = await open()
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
