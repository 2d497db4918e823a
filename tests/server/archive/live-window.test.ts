import { expect, test } from 'vitest'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createLiveWindow } from '../../../server/archive/recorder/live-window.ts'
import { createPartTarget } from '../../../server/archive/recorder/part-target.ts'
import { init } from '../fixtures/paused-stream.ts'

const parts = (...durations: readonly number[]) => durations.map((duration) => ({ duration }))

test('a single long part raises the target of parts while it is listed, and most being long ends them', () => {
  const target = createPartTarget()
  expect(target(parts(0.36, 0.32))).toBe(0.36)
  expect(target(parts(0.32, 0.32))).toBe(0.36)
  expect(target(parts(0.36, 1.2, 0.36))).toBe(1.2)
  expect(target(parts(0.32, 0.32))).toBe(0.36)
  expect(target(parts(0.36, 1.2, 1.2))).toBeUndefined()
  expect(target([])).toBeUndefined()
})

test('the longest segment may still grow', () => {
  const live = createLiveWindow()
  live.begin({ start: 0, run: runOf(1, newRunKey(), init), read: async () => undefined })
  for (const number of [1, 2, 3, 4, 5])
    live.grow(0, { number, duration: 0.36, isIndependent: number === 1, offset: 0, bytes: 1 }, 0)
  expect(live.longestSegment()).toBeCloseTo(1.8)
})
