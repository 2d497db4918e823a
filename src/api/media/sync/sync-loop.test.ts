import { expect, test, vi } from 'vitest'
import { createUtcMap } from '../playlist/utc-map.ts'
import { createSyncLoop } from './sync-loop.ts'

const start = Date.UTC(2026, 10, 21, 8)

test('an update that throws does not end the updates', () => {
  const frames: (() => void)[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  vi.stubGlobal('cancelAnimationFrame', () => undefined)
  const video = { currentTime: 0, seeking: false, readyState: 4, paused: true, playbackRate: 1 }
  const faults = [new Error('no video')]
  const loop = createSyncLoop({
    video() {
      const fault = faults.pop()
      if (fault !== undefined) throw fault
      return video
    },
    map: () => createUtcMap([{ media: 0, duration: 10, utc: start }]),
    keyframeAt: (media) => media,
    play: () => undefined,
    hold: () => undefined,
    setRate: () => undefined,
  })
  expect(() => loop.set(() => ({ at: start + 5000, rate: 0 }))).toThrow('no video')
  for (const frame of frames.splice(0)) frame()
  expect([video.currentTime, frames.length]).toEqual([5.002, 1])
  vi.unstubAllGlobals()
})
