// @vitest-environment jsdom
import process from 'node:process'
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest'
import { createMediaController } from './create-media-controller.ts'
import type { MediaController, ControllerReport } from './media-controller.ts'
import { settle } from '../../../../tests/machines/settle.ts'
import { patience } from '../../../../tests/fixtures/patience.ts'

interface Load {
  readonly url: string
  readonly reject: (error: unknown) => void
}

/** The loads in their order, the one that hasn't ended, and whether the code of the engine can be loaded. */
const fake = vi.hoisted(() => ({ loads: [] as Load[], pending: null as Load | null, hasEngine: true }))

vi.mock('../engine/preload-engine.ts', async (load) => {
  const { preloadEngine } = await load<{ preloadEngine: () => Promise<unknown> }>()
  return { preloadEngine: () => (fake.hasEngine ? preloadEngine() : Promise.reject(new TypeError('no such module'))) }
})

/** Each load, and unloading, rejects the load before it with an error of its own, as shaka does. */
vi.mock('shaka-player/dist/shaka-player.hls-es2021.js', async () => {
  const { shakaModule } = await import('../../../../tests/fixtures/shaka.ts')
  const interrupt = (code: number) => {
    fake.pending?.reject(Object.assign(new Error('interrupted'), { code, data: [] }))
    fake.pending = null
  }
  return shakaModule({
    load: async (url) => {
      interrupt(7000)
      await new Promise((_, reject) => {
        fake.pending = { url, reject }
        fake.loads.push(fake.pending)
      })
    },
    unload: async () => interrupt(7000),
    destroy: async () => interrupt(7003),
  })
})

const seen = { reports: [] as ControllerReport[], unhandled: [] as unknown[], console: [] as MockInstance[] }
const onUnhandled = (reason: unknown) => void seen.unhandled.push(reason)

beforeEach(() => {
  Object.assign(fake, { loads: [], pending: null, hasEngine: true })
  Object.assign(seen, { reports: [], unhandled: [] })
  process.on('unhandledRejection', onUnhandled)
  seen.console = (['error', 'warn'] as const).map((level) => vi.spyOn(console, level))
})
afterEach(() => {
  process.off('unhandledRejection', onUnhandled)
  vi.restoreAllMocks()
})

/** A media controller on a `<video>` of a width, and how to release it. */
function attached(
  controller = createMediaController(),
  width = 0,
): { controller: MediaController; detach: () => void } {
  const video = Object.assign(document.createElement('video'), {
    play: async () => undefined,
    pause: () => undefined,
    load: () => undefined,
  })
  Object.defineProperty(video, 'clientWidth', { value: width })
  controller.listen((report) => void seen.reports.push(report))
  return { controller, detach: controller.attach(video, document.createElement('canvas')) }
}

const loadLive = (controller: MediaController, uid: string) =>
  controller.load({ kind: 'live', uid }, { isPlaying: true, rate: 1 })
/** Waits for a load; unhandled rejections are reported after the promises that are settled. */
const loaded = async (count: number) => {
  await vi.waitUntil(() => fake.loads.length === count, patience)
  await settle()
}
const everyReport = () => [...seen.reports, ...seen.unhandled, ...seen.console.flatMap(({ mock }) => mock.calls)]

test('loads that are replaced or unloaded report nothing', async () => {
  const { controller, detach } = attached()
  for (const [index, uid] of ['gate', 'yard', 'hall'].entries()) {
    loadLive(controller, uid)
    await loaded(index + 1)
  }
  controller.unload()
  await vi.waitUntil(() => fake.pending === null, patience)
  await settle()
  expect(fake.loads.map(({ url }) => /gate|yard|hall/.exec(url)?.[0])).toEqual(['gate', 'yard', 'hall'])
  expect(everyReport()).toEqual([])
  detach()
})

test('a load reports nothing after its video is detached', async () => {
  const { controller, detach } = attached()
  loadLive(controller, 'gate')
  await loaded(1)
  detach()
  await vi.waitUntil(() => fake.pending === null, patience)
  await settle()
  expect(everyReport()).toEqual([])
})

test('a failed load is reported', async () => {
  const { controller, detach } = attached()
  loadLive(controller, 'gate')
  await loaded(1)
  fake.pending?.reject(Object.assign(new Error('status'), { code: 1001, data: ['', 404] }))
  fake.pending = null
  await vi.waitUntil(() => seen.reports.length > 0, patience)
  expect(seen.reports).toEqual([{ type: 'engine.failed', failure: 'missing', at: null }])
  detach()
})

test('an engine whose code could not be loaded is opened by the next load', async () => {
  fake.hasEngine = false
  const { controller, detach } = attached()
  loadLive(controller, 'gate')
  await vi.waitUntil(() => seen.reports.length > 0, patience)
  expect(everyReport()).toEqual([{ type: 'engine.failed', failure: 'network', at: null }])
  fake.hasEngine = true
  loadLive(controller, 'gate')
  await loaded(1)
  expect(fake.loads.map(({ url }) => new URL(url).pathname)).toEqual(['/v1/stream/gate/archive/index.m3u8'])
  detach()
})

test('a picture reports its width before the first load, so that the right rendition is loaded', async () => {
  const controller = createMediaController()
  loadLive(controller, 'gate')
  controller.listen((report) => {
    if (report.type === 'picture.resized')
      controller.change({ kind: 'live', uid: 'gate', rendition: 'sub' }, { isPlaying: true, rate: 1 })
  })
  const { detach } = attached(controller, 480)
  await loaded(1)
  expect([fake.loads.map(({ url }) => new URL(url).search), seen.reports]).toEqual([
    ['?rendition=sub'],
    [{ type: 'picture.resized', width: 480, viewportWidth: 1024, isFull: false }],
  ])
  detach()
})
