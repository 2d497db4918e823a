import { expect, test } from 'vitest'
import { createLiveWatch } from './live-watch.ts'

const alone = { isLowLatency: false, isShared: false }

test('drift is caught up by rate until hardly any is left, and each rate is asked for once', () => {
  const watch = createLiveWatch()
  expect([0.4, 2.1, 2, 1, 0.2, 0.1, 0.1].map((drift) => watch.update(drift, 1, alone))).toEqual([
    { kind: 'none' },
    { kind: 'rate', rate: 1.1 },
    { kind: 'none' },
    { kind: 'none' },
    { kind: 'none' },
    { kind: 'rate', rate: 1 },
    { kind: 'none' },
  ])
})

test('more than 8 s is jumped, also while catching up, and then nothing is left to catch up', () => {
  const watch = createLiveWatch()
  expect([3, 9, 0.4].map((drift) => watch.update(drift, 1, alone).kind)).toEqual(['rate', 'jump', 'none'])
})

test('a chosen rate is left alone until it reaches the edge', () => {
  const watch = createLiveWatch()
  expect([watch.update(60, 4, alone), watch.update(0.4, 4, alone), watch.update(60, 0.5, alone)]).toEqual([
    { kind: 'none' },
    { kind: 'reached' },
    { kind: 'none' },
  ])
})

test('the window is reported once a second', () => {
  const watch = createLiveWatch()
  expect([2000, 2500, 3001, 3100].map((time) => watch.isReportDue(time))).toEqual([true, false, true, false])
})

test('beside others it turns at once where those it is held to move on, or back', () => {
  const watch = createLiveWatch()
  const beside = { isLowLatency: false, isShared: true }
  expect([-0.4, -0.3, 1, 0.5, -1, 0, 0].map((drift) => watch.update(drift, 1, beside))).toEqual([
    { kind: 'rate', rate: 0.96 },
    { kind: 'none' },
    { kind: 'rate', rate: 1.1 },
    { kind: 'none' },
    { kind: 'rate', rate: 0.9 },
    { kind: 'rate', rate: 1 },
    { kind: 'none' },
  ])
})
