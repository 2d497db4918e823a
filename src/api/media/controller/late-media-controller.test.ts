// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { settle } from '../../../../tests/machines/settle.ts'
import { createLateMediaController } from './late-media-controller.ts'
import type { ControllerReport, MediaController } from './media-controller.ts'

type Call = readonly [name: string, ...args: readonly unknown[]]

/** A controller that records its commands; the picture is at 7. */
function recorded() {
  const calls: Call[] = []
  const parts = { report: (_: ControllerReport): void => undefined, isDetached: false }
  const record =
    (name: string) =>
    (...args: readonly unknown[]) =>
      void calls.push([name, ...args])
  const controller: MediaController = {
    attach(video, still) {
      calls.push(['attach', video, still])
      return () => (parts.isDetached = true)
    },
    listen(report) {
      parts.report = report
      return () => undefined
    },
    load: record('load'),
    change: record('change'),
    unload: record('unload'),
    play: record('play'),
    pause: record('pause'),
    setRate: record('setRate'),
    follow: record('follow'),
    hasSettled: () => true,
    setLoop: record('setLoop'),
    setSound: record('setSound'),
    seek: record('seek'),
    step: record('step'),
    snapshot: async () => new Blob(['picture']),
    togglePictureInPicture: record('togglePictureInPicture'),
    positionAt: () => 7,
    buffered: () => [{ from: 1, to: 2 }],
    stats: () => null,
  }
  return { controller, calls, parts }
}

const elements = () => [document.createElement('video'), document.createElement('canvas')] as const
const live = { kind: 'live', uid: 'a' } as const
const playing = { isPlaying: true, rate: 1 }

test('keeps commands until there is a video and the code, and passes them on in order', async () => {
  const { controller, calls, parts } = recorded()
  const load = vi.fn(async () => controller)
  const late = createLateMediaController(load)
  const reports: ControllerReport[] = []
  late.listen((report) => reports.push(report))
  late.setSound({ volume: 1, isMuted: true })
  late.load(live, playing)
  expect(load).not.toHaveBeenCalled()
  expect([late.positionAt(), late.buffered(), late.stats(), late.hasSettled()]).toEqual([null, [], null, false])
  expect(await late.snapshot()).toBeNull()
  const [video, still] = elements()
  const detach = late.attach(video, still)
  late.seek(5)
  await settle()
  expect(load).toHaveBeenCalledOnce()
  expect(calls).toEqual([
    ['setSound', { volume: 1, isMuted: true }],
    ['load', live, playing],
    ['attach', video, still],
    ['seek', 5],
  ])
  parts.report({ type: 'engine.played' })
  expect(reports).toEqual([{ type: 'engine.played' }])
  late.change(live, playing)
  late.pause()
  expect(calls.slice(4)).toEqual([['change', live, playing], ['pause']])
  expect([late.positionAt(), late.buffered(), late.hasSettled()]).toEqual([7, [{ from: 1, to: 2 }], true])
  expect(await late.snapshot()).toBeInstanceOf(Blob)
  detach()
  expect(parts.isDetached).toBe(true)
})

test('a command that answers a report comes after those that were kept', async () => {
  const { controller, calls, parts } = recorded()
  const late = createLateMediaController(async () => ({
    ...controller,
    attach(video, still) {
      parts.report({ type: 'picture.resized', width: 480, viewportWidth: 600, isFull: false })
      return controller.attach(video, still)
    },
  }))
  const sub = { ...live, rendition: 'sub' } as const
  late.listen(({ type }) => type === 'picture.resized' && late.change(sub, playing))
  late.load(live, playing)
  late.attach(...elements())
  late.change(live, playing)
  await settle()
  expect(calls.map(([name, source]) => [name, source === sub])).toEqual([
    ['load', false],
    ['attach', false],
    ['change', false],
    ['change', true],
  ])
})

test('a video that is detached before the code is there is never attached', async () => {
  const { controller, calls } = recorded()
  const late = createLateMediaController(async () => controller)
  late.attach(...elements())()
  await settle()
  expect(calls).toEqual([])
})

test('code that cannot be loaded is a failure of the network, and the next source tries again', async () => {
  const { controller, calls } = recorded()
  const load = vi.fn(async () => controller).mockRejectedValueOnce(new Error('offline'))
  const late = createLateMediaController(load)
  const reports: ControllerReport[] = []
  late.listen((report) => reports.push(report))
  late.load(live, playing)
  late.attach(...elements())
  await settle()
  expect(reports).toEqual([{ type: 'engine.failed', failure: 'network', at: null }])
  late.load(live, playing)
  await settle()
  expect(load).toHaveBeenCalledTimes(2)
  expect(calls.map(([name]) => name)).toEqual(['load', 'attach', 'load'])
})
