import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ingestWorkers } from '../../../server/ingest/forked.ts'
import { connectHost } from '../../../server/ingest/here.ts'
import type { Connect, HostLink, PoolOptions } from '../../../server/ingest/pool.ts'
import { patience } from '../../fixtures/patience.ts'
import { create } from '../fixtures/recordings.ts'
import { startRtspCamera } from '../fixtures/rtsp-camera.ts'
import { logged, probed, segments, serve, startVideo, tsCamera, type VideoHarness } from '../fixtures/video.ts'

/** /proc's entry of a process; empty if it has ended. */
const factOf = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const workersOf = ({ site }: VideoHarness): number[] =>
  site.workers().flatMap(({ pid = 0, streams }) => (streams === 0 ? [] : [pid]))

/** Processes of the group of a worker. */
const groupOf = (worker: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [state, , group] = factOf(pid, 'stat').split(') ')[1]?.split(' ') ?? []
      return Number(group) === worker && state !== 'Z'
    })

const kill = (pid: number | undefined): void => void process.kill(pid ?? 0, 'SIGKILL')

const recordedOf = async ({ site: { index } }: VideoHarness, uid: string) =>
  (await index.within(uid, 0, Date.now() + 60_000, 10_000)).map(({ start }) => start)

test('a camera is recorded, played live and shown by a worker, of which nothing is left when the server stops', async () => {
  const video = await startVideo({ ingest: ingestWorkers() })
  const uid = await create(video, `${await serve(tsCamera())}/camera.ts`)
  await segments(video.site, uid, 3)
  const [worker = 0] = workersOf(video)
  expect(groupOf(worker).length).toBeGreaterThan(2)
  const bytes: unknown = expect.any(Number)
  expect(video.site.workers()).toEqual([
    { pid: worker, bytes, streams: 1 },
    { pid: expect.any(Number), bytes, streams: 0 },
  ])
  const [, spare] = video.site.workers().map(({ pid = 0 }) => pid)
  const get = async (path: string) => {
    const url = `/v1/stream/${uid}/archive/${path}`
    const { statusCode, rawPayload } = await video.app.inject({
      url,
      headers: { cookie: video.admin, host: 'localhost' },
    })
    expect(statusCode, path).toBe(200)
    return rawPayload
  }
  const window = video.site.supervisor(uid)?.live
  const segment = window?.listed().segments.at(-1)
  const init = await get(`init/${segment?.run}.mp4`)
  const whole = await get(`live/${segment?.start}.m4s`)
  expect(probed(Buffer.concat([init, whole])).codecs).toEqual(['h264', 'aac'])
  const parts = await Promise.all((segment?.parts ?? []).map(({ number }) => get(`part/${number}.m4s`)))
  expect(Buffer.concat(parts).equals(whole)).toBe(true)
  while ((window?.opened().at(-1)?.parts.length ?? 0) === 0) await window?.waitForPart(AbortSignal.timeout(60_000))
  const growing = window?.opened().at(-1)?.parts[0]
  expect((await get(`part/${growing?.number}.m4s`)).length).toBe(growing?.bytes)
  expect((await video.ask('GET', `/v1/stream/${uid}`, { cookie: video.admin })).body).toMatchObject({
    status: 'running',
    video: { fps: 25, width: 320 },
  })
  await video.app.close()
  await vi.waitUntil(() => [worker, spare].flatMap((pid) => groupOf(pid ?? 0)).length === 0, patience)
  expect(video.site.workers()).toEqual([])
})

test('a killed worker loses no whole segment, and its cameras are recorded by another one without a probe', async () => {
  const camera = await startRtspCamera()
  const video = await startVideo({ ingest: ingestWorkers() })
  const address = `rtsp://127.0.0.1:${camera.port}/live`
  const uid = await create(video, address)
  const liveOnly = await create(video, address, { archive: { isEnable: false } })
  await Promise.all([segments(video.site, uid, 3), segments(video.site, liveOnly, 2)])
  const received: number[] = []
  video.site.segmentListeners.push((of, { start }) => {
    if (of === uid) received.push(start)
  })
  await segments(video.site, uid, 2)
  const [worker = 0] = workersOf(video)
  const described = () => camera.asked.filter((line) => line.startsWith('DESCRIBE ')).length
  const before = described()
  const spare = video.site.workers().find(({ streams }) => streams === 0)?.pid
  const sequences = () =>
    video.site
      .supervisor(uid)
      ?.live.listed()
      .segments.map(({ sequence }) => sequence) ?? []
  const [last = 0] = sequences().toReversed()
  kill(worker)
  expect(await logged(video.site, uid, /has ended/)).toBe(
    'The process that recorded has ended: recording in another one',
  )
  await Promise.all([segments(video.site, uid, 2), segments(video.site, liveOnly, 2)])
  const recorded = await recordedOf(video, uid)
  expect(received.filter((start) => !recorded.includes(start))).toEqual([])
  expect(Math.min(...sequences())).toBeGreaterThanOrEqual(last - received.length)
  expect(new Set(sequences()).size).toBe(sequences().length)
  expect(sequences().at(-1)).toBeGreaterThan(last)
  // Each of the two cameras connects once more, and nothing asks what they have.
  expect(described() - before).toBe(2)
  // The one that was ready.
  expect([workersOf(video), groupOf(worker)]).toEqual([[spare], []])
  const get = (path: string) => video.ask('GET', `/v1/stream/${path}`, { cookie: video.admin })
  for (const each of [uid, liveOnly]) expect((await get(`${each}/archive/live.m3u8`)).status).toBe(200)
  expect((await get(uid)).body).toMatchObject({ status: 'running', failureReason: '' })
}, 240_000)

test.each<[name: string, options: (now: () => number) => PoolOptions]>([
  ['a worker', () => ingestWorkers()],
  ['this process', (now) => ({ connect: connectHost(now) })],
])(
  '%s dates what follows a correction of the clock by the corrected clock',
  async (_name, optionsOf) => {
    let aheadMs = 0
    const options = optionsOf(() => Date.now() - aheadMs)
    const links: HostLink[] = []
    const connect: Connect = (listener) => {
      const link = options.connect(listener)
      links.push(link)
      return link
    }
    const video = await startVideo({ ingest: { ...options, connect } })
    const uid = await create(video, `${await serve(tsCamera())}/camera.ts`)
    await segments(video.site, uid, 2)
    aheadMs = -10_000
    for (const link of links) link.setClockAhead?.(aheadMs)
    await segments(video.site, uid, 6)
    const starts = await recordedOf(video, uid)
    const steps = starts.slice(1).map((start, position) => start - (starts[position] ?? 0))
    expect(Math.max(...steps)).toBeGreaterThan(8000)
  },
  240_000,
)

test('a worker whose event loop hangs delays no other one, and is replaced', async () => {
  const video = await startVideo({ ingest: { ...ingestWorkers({ pingEveryMs: 500 }), maxStreams: 1 } })
  const [stuck, other] = [await create(video, 'demo:gate'), await create(video, 'demo:yard')]
  await Promise.all([segments(video.site, stuck, 1), segments(video.site, other, 1)])
  const [worker = 0] = workersOf(video)
  onTestFinished(() => {
    if (existsSync(`/proc/${worker}`)) kill(worker)
  })
  process.kill(worker, 'SIGSTOP')
  await Promise.all([segments(video.site, stuck, 2), segments(video.site, other, 2)])
  expect([workersOf(video).length, workersOf(video).includes(worker)]).toEqual([2, false])
}, 240_000)

test('workers end with a stream that is deleted, and none is needed for one that is paused', async () => {
  const video = await startVideo({ ingest: ingestWorkers() })
  const uid = await create(video, 'demo:gate')
  await segments(video.site, uid, 1)
  await video.ask('DELETE', `/v1/stream/${uid}`, { cookie: video.admin })
  await vi.waitUntil(() => video.site.workers().length === 0, patience)
  const { site } = video
  await site.add({
    uid: 'resting',
    name: 'resting',
    source: 'demo:gate',
    tags: [],
    location: '',
    marker: '',
    isArchived: true,
    depthHours: -1,
    isOnDemand: true,
    isPaused: false,
    owner: null,
    createdAt: 0,
  })
  expect(site.supervisor('resting')?.status().status).toBe('pending')
  expect(site.workers()).toEqual([])
})
