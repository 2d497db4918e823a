// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { createMediaController } from './create-media-controller.ts'
import { patience } from '../../../../tests/fixtures/patience.ts'

const from = Date.parse('2026-11-21T08:00:00Z')
const source = { kind: 'archive', uid: 'gate', from, to: from + 60_000 } as const

const rates: number[] = []

/** It knows the segments of the archive as soon as it has loaded; a frame never comes. */
const engine: Partial<Engine> = {
  load: async () => undefined,
  segments: () => [{ media: 4, duration: 60, utc: from }],
  setRate: (rate) => void rates.push(rate),
  hasSound: () => false,
  segmentsReceived: () => 0,
  destroy: async () => undefined,
}
vi.mock('../engine/shaka-engine.ts', () => ({ openEngine: async () => engine }))

beforeEach(() => {
  rates.length = 0
})

/** An archive that has loaded at a rate and waits for its first frame. */
async function waiting(rate: number) {
  const play = vi.fn<() => Promise<void>>(async () => undefined)
  const video = Object.assign(document.createElement('video'), { play, pause: () => undefined, load: () => undefined })
  const controller = createMediaController()
  const detach = controller.attach(video, document.createElement('canvas'))
  controller.load(source, { isPlaying: true, rate })
  await vi.waitUntil(() => rates.length > 0, patience)
  return { controller, play, detach }
}

test('a rate that is chosen before the first frame applies', async () => {
  const { controller, detach } = await waiting(1)
  controller.setRate(4)
  expect(rates).toEqual([1, 4])
  detach()
})

test('backward playback that turns before its first frame plays', async () => {
  const { controller, play, detach } = await waiting(-1)
  expect(play).not.toHaveBeenCalled()
  controller.setRate(1)
  expect([rates, play.mock.calls.length]).toEqual([[-1, 1], 1])
  detach()
})
