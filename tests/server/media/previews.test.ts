import { spawnSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { writeChunk } from '../../../server/archive/repair/write-chunk.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { boxesIn } from '../../../server/media/boxes.ts'
import { fragmentArguments, h264Arguments } from '../../../server/media/encoding.ts'
import { readInit } from '../../../server/media/fragments.ts'
import { createByteCache } from '../../../server/media/byte-cache.ts'
import { portOf } from '../../../server/start.ts'
import { createViewers } from '../../../server/streams/viewers.ts'
import { t0 } from '../fixtures/engine.ts'
import { row } from '../fixtures/paused-stream.ts'
import { create } from '../fixtures/recordings.ts'
import { segments, startVideo } from '../fixtures/video.ts'
import { patience } from '../../fixtures/patience.ts'

/** A paused stream, of which three minutes are recorded: the same second over and over. */
const recorded = async () => {
  const video = await startVideo()
  await video.site.add({ ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x' })
  const { stdout: film } = spawnSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=5:d=1',
    ...h264Arguments,
    ...fragmentArguments,
  ])
  const bytesOf = (...types: string[]) =>
    Buffer.concat(
      boxesIn(film)
        .filter(({ type }) => types.includes(type))
        .map(({ start, end }) => film.subarray(start, end)),
    )
  const [init, media] = [readInit(bytesOf('ftyp', 'moov')), bytesOf('moof', 'mdat')]
  if (init === undefined) throw new Error('no init')
  const { index, runId } = video.site
  const { recording } = await index.open('door')
  const segment = (second: number) => ({
    start: t0 + second * 1000,
    finish: t0 + (second + 1) * 1000,
    duration: 1,
    mediaStart: 0,
    bytes: media.length,
  })
  await writeChunk(
    { ...video.site, uid: 'door' },
    {
      recording,
      run: runOf(runId(), newRunKey(), init),
      segments: Array.from({ length: 180 }, (_, second) => segment(second)),
      contents: Array.from({ length: 180 }, () => media),
    },
  )
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const address = `http://127.0.0.1:${portOf(video.app)}`
  const ended: string[] = []
  const preview = async (cookie: string, second: number, name: string) => {
    const reply = await fetch(
      `${address}/v1/stream/preview?stream_id=door&time=${new Date(t0 + second * 1000).toISOString()}`,
      { headers: { cookie } },
    )
    await reply.arrayBuffer()
    if (reply.status === 200) ended.push(name)
    return { status: reply.status, retryAfter: reply.headers.get('retry-after') }
  }
  return { video, preview, ended }
}

test('150 previews of one person don’t hold another’s one back, and what is too many is refused', async () => {
  const { video, preview, ended } = await recorded()
  await video.addUser('bob', true)
  const bob = await video.signIn('bob')
  const many = Array.from({ length: 150 }, (_, second) => preview(video.admin, second, 'many'))
  const one = preview(bob, 170, 'one')
  const answers = await Promise.all(many)
  expect((await one).status).toBe(200)
  // In the order in which they came it would be the last.
  expect(ended.indexOf('one')).toBeLessThan(ended.length / 2)
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.every(({ retryAfter }) => retryAfter === '2')).toBe(true)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(150 - refused.length)
})

test('the same picture wanted by many at once is made once, so that nobody is refused', async () => {
  const { video, preview } = await recorded()
  // Of different ones no more than 64 may wait.
  const answers = await Promise.all(Array.from({ length: 150 }, () => preview(video.admin, 5, 'same')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

test('with a right to live alone a camera that is away shows no picture, and one that is live does', async () => {
  const video = await startVideo()
  const uid = await create(video, 'demo:gate')
  await segments(video.site, uid, 1)
  await video.addUser('bob')
  const permissions = [{ login: 'bob', canView: true, canViewArchive: false, canAdmin: false }]
  await video.ask('POST', `/v1/stream/${uid}/permissions`, { cookie: video.admin, body: { permissions } })
  const bob = { cookie: await video.signIn('bob') }
  const share = { headers: { 'share-token': await video.context.shares.open(uid) } }
  const statuses = () =>
    Promise.all(
      [{ cookie: video.admin }, bob, share].map(
        async (who) => (await video.ask('GET', `/v1/stream/preview?stream_id=${uid}`, who)).status,
      ),
    )
  expect(await statuses()).toEqual([200, 200, 200])
  await video.ask('POST', `/v1/stream/pause/${uid}`, { cookie: video.admin })
  await vi.waitUntil(() => video.site.supervisor(uid)?.isLive() === false, patience)
  expect(await statuses()).toEqual([200, 204, 204])
})

test('one holder of a share is one viewer, whatever the browser says it is', async () => {
  const video = await startVideo()
  const uid = await create(video, 'demo:gate')
  await segments(video.site, uid, 1)
  const token = await video.context.shares.open(uid)
  const look = (ip: string, browser: string) =>
    video.ask('GET', `/v1/stream/${uid}/archive/live.m3u8`, {
      ip,
      headers: { 'share-token': token, 'user-agent': browser },
    })
  for (let turn = 0; turn < 20; turn += 1) await look('192.0.2.7', `browser ${turn}`)
  await look('2001:db8::1', 'x')
  await look('2001:db8::2', 'x')
  await look('192.0.2.8', 'x')
  expect(video.site.supervisor(uid)?.viewers()).toBe(3)
})

test('viewers are bounded, and forgotten after a while', () => {
  const clock = { now: 1e6 }
  const viewers = createViewers(() => clock.now)
  for (let viewer = 0; viewer < 5836; viewer += 1) viewers.note(`viewer ${viewer}`)
  expect(viewers.count()).toBe(1000)
  clock.now += 12_001
  expect(viewers.count()).toBe(0)
  viewers.note('one')
  expect(viewers.count()).toBe(1)
})

test('pictures are kept by their bytes, and for a while', () => {
  const clock = { now: 0 }
  const cache = createByteCache(100, 10, () => clock.now)
  for (const key of ['a', 'b', 'c']) cache.put(key, Buffer.alloc(40))
  expect(['a', 'b', 'c'].map((key) => cache.get(key)?.length)).toEqual([undefined, 40, 40])
  cache.put('d', Buffer.alloc(101))
  expect(['b', 'c', 'd'].map((key) => cache.get(key)?.length)).toEqual([undefined, undefined, undefined])
  cache.put('e', Buffer.alloc(1))
  clock.now = 10
  expect(cache.get('e')).toBeUndefined()
})
