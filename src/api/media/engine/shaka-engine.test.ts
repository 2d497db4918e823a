// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFrameTable } from '../frames/frame-table.ts'
import { openEngine } from './shaka-engine.ts'

const segmentSeconds = 2
const variants = [{ id: 1, video: { segmentIndex: null as unknown } }]
const player = {
  listeners: new Map<string, () => void>(),
  filter: (() => undefined) as (type: number, response: object) => void,
  requestFilter: (async () => undefined) as (type: number, request: object) => Promise<void>,
  startTime: null as number | null,
  unload: vi.fn(async (_makesMediaSource: boolean) => undefined),
  /** The playlist as shaka reads it. */
  text: '',
  ignoresDates: null as unknown,
}

/** Segments of two seconds up to `end`, and the event that follows a playlist. */
function listUpTo(end: number) {
  const count = end / segmentSeconds
  const get = (index: number) => ({
    getStartTime: () => index * segmentSeconds,
    getEndTime: () => (index + 1) * segmentSeconds,
    getUris: () => ['segment.m4s'],
  })
  const segmentIndex = { getNumReferences: () => count, getNumEvicted: () => 0, get, *[Symbol.iterator]() {} }
  Object.assign(variants[0]?.video ?? {}, { segmentIndex })
}

const wholeSegments = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:${segmentSeconds},\nsegment.m4s\n`
const parts = `#EXTM3U
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=0.720
#EXT-X-PART-INF:PART-TARGET=0.240
#EXTINF:${segmentSeconds},
segment.m4s
#EXT-X-PART:DURATION=0.24,URI="part.m4s"
`

/** Hands a live playlist to the engine, as shaka does while it loads. */
function answer(text: string) {
  const originalRequest = { uris: ['live.m3u8'] }
  const response = { data: new TextEncoder().encode(text), uri: 'mirror.m3u8', originalRequest }
  player.filter(requestTypes.MANIFEST, response)
  player.text = new TextDecoder().decode(response.data)
}

/** Asks the engine for leave to request the playlist, as shaka does. */
const request = () => player.requestFilter(requestTypes.MANIFEST, { uris: ['live.m3u8'], headers: {} })

const requestTypes = { MANIFEST: 0, SEGMENT: 1 }

vi.mock('shaka-player/dist/shaka-player.hls-es2021.js', () => {
  class Player {
    attach = async () => undefined
    addEventListener = (type: string, listener: () => void) => void player.listeners.set(type, listener)
    configure(
      options: { abrFactory?: () => { setVariants: (given: readonly object[]) => unknown } } | string,
      value: unknown,
    ) {
      if (typeof options === 'object') options.abrFactory?.().setVariants(variants)
      if (options === 'manifest') player.ignoresDates = Object(value).hls.ignoreManifestProgramDateTime
      if (options === 'manifest.hls.ignoreManifestProgramDateTime') player.ignoresDates = value
    }
    getNetworkingEngine = () => ({
      registerRequestFilter: (filter: typeof player.requestFilter) => (player.requestFilter = filter),
      registerResponseFilter: (filter: typeof player.filter) => (player.filter = filter),
    })
    getVariantTracks = () => []
    seekRange = () => ({ start: 0, end: 0 })
    updateStartTime = (time: number) => (player.startTime = time)
    unload = (makesMediaSource: boolean) => player.unload(makesMediaSource)
    async load(url: string) {
      await request()
      answer(url === 'parts.m3u8' ? parts : wholeSegments)
    }
  }
  class SimpleAbrManager {
    setVariants() {}
  }
  const NetworkingEngine = { RequestType: requestTypes, AdvancedRequestType: { INIT_SEGMENT: 0 } }
  const polyfill = { Map: { install: () => undefined } }
  return { default: { Player, abr: { SimpleAbrManager }, net: { NetworkingEngine }, polyfill } }
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())
afterEach(() => void player.unload.mockReset().mockResolvedValue(undefined))

async function openLive(url = 'live.m3u8') {
  const engine = await openEngine(document.createElement('video'), createFrameTable(), () => undefined)
  listUpTo(8)
  await engine.load(url, { startAt: null, growsUntil: null })
  return engine
}

test('the live edge is noted when the playlist arrives, not when the segments are read', async () => {
  const engine = await openLive()
  engine.segments()
  vi.advanceTimersByTime(segmentSeconds * 1000)
  listUpTo(10)
  player.listeners.get('manifestupdated')?.()
  vi.advanceTimersByTime(200)
  engine.segments()
  expect(engine.liveAt()).toBeCloseTo(10 + 0.2 - 1.6 * segmentSeconds)
})

test('after a gap the live edge is that of the segments since', async () => {
  const engine = await openLive()
  const grow = (seconds: number, end: number) => {
    vi.advanceTimersByTime(seconds * 1000)
    listUpTo(end)
    player.listeners.get('manifestupdated')?.()
  }
  grow(2, 10)
  grow(7, 12)
  expect(engine.liveAt()).toBeCloseTo(12 - 1.6 * segmentSeconds)
  grow(2.5, 14)
  expect(engine.liveAt()).toBeCloseTo(14 + 0.25 - 1.6 * segmentSeconds)
})

test('live goes by the order of its segments where there is one media playlist, not by dates, which have gaps', async () => {
  const engine = await openLive()
  const dates = [player.ignoresDates]
  const variant = '#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n'
  answer(`#EXTM3U\n#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,INSTREAM-ID="CC1"\n${variant}`)
  dates.push(player.ignoresDates)
  answer(`#EXTM3U\n${variant}${variant}`)
  dates.push(player.ignoresDates)
  await engine.load('live.m3u8', { startAt: null, growsUntil: null })
  answer(`#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="a.m3u8"\n${variant}`)
  dates.push(player.ignoresDates)
  await engine.load('archive.m3u8', { startAt: () => 0, growsUntil: null })
  dates.push(player.ignoresDates)
  expect(dates).toEqual([true, true, false, false, false])
})

test('the edge of shaka is beyond the end of a low-latency playlist, which begins at its target', async () => {
  await openLive('parts.m3u8')
  expect(player.text).toContain('#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=-1.280\n')
  expect(player.startTime).toBeCloseTo(-2)
})

test.each([
  ['waits for its turn', 'live.m3u8', 1000],
  ['goes on at once, as the server delays its answer', 'parts.m3u8', 0],
])('a reload of a live playlist %s', async (_what, url, ms) => {
  const engine = await openLive(url)
  const reloaded = vi.fn()
  void request().then(reloaded)
  await vi.advanceTimersByTimeAsync(ms)
  expect(reloaded.mock.calls.length).toBe(ms === 0 ? 1 : 0)
  await vi.advanceTimersByTimeAsync(segmentSeconds * 1000)
  expect(reloaded).toHaveBeenCalledTimes(1)
  answer(wholeSegments)
  void request().then(reloaded)
  await engine.unload()
  expect(reloaded).toHaveBeenCalledTimes(2)
})

test('a load begins once what was loaded before has ended, unless another one has begun', async () => {
  const engine = await openLive()
  const ended = Promise.withResolvers<undefined>()
  player.unload.mockReturnValue(ended.promise)
  const startAt = vi.fn((segments: readonly unknown[]) => segments.length)
  const superseded = engine.load('live.m3u8', { startAt: () => 7, growsUntil: null })
  const loading = engine.load('live.m3u8', { startAt, growsUntil: null })
  answer(`${wholeSegments}#EXTINF:${segmentSeconds},\nsegment.m4s\n`)
  expect(startAt).not.toHaveBeenCalled()
  ended.resolve(undefined)
  await Promise.all([superseded, loading])
  expect([startAt.mock.calls.length, player.startTime]).toEqual([1, 1])
})

test('the media source of a player is for its first load, and none is made until the next', async () => {
  const engine = await openEngine(document.createElement('video'), createFrameTable(), () => undefined)
  await engine.unload()
  await engine.load('live.m3u8', { startAt: null, growsUntil: null })
  expect(player.unload).not.toHaveBeenCalled()
  await engine.unload()
  await engine.load('live.m3u8', { startAt: null, growsUntil: null })
  expect(player.unload.mock.calls).toEqual([[false], [false]])
})
