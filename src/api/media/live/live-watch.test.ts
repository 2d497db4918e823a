import { expect, test } from 'vitest'
import { createLiveWatch } from './live-watch.ts'

const alone = { isLowLatency: false, isInGroup: false }

test('a correction keeps one rate until the drift is small', () => {
  const watch = createLiveWatch()
  expect([0.2, 2.1, 2, 1, 0.2, 0.1, 0.1].map((drift) => watch.update(drift, 1, alone))).toEqual([
    { kind: 'none' },
    { kind: 'rate', rate: 1.1 },
    { kind: 'none' },
    { kind: 'none' },
    { kind: 'none' },
    { kind: 'rate', rate: 1 },
    { kind: 'none' },
  ])
})

test('a drift above 8 s jumps, also during a correction, and ends it', () => {
  const watch = createLiveWatch()
  expect([3, 9, 0.2].map((drift) => watch.update(drift, 1, alone).kind)).toEqual(['rate', 'jump', 'none'])
})

test('a requested rate stays until the live edge', () => {
  const watch = createLiveWatch()
  expect([watch.update(60, 4, alone), watch.update(0.4, 4, alone), watch.update(60, 0.5, alone)]).toEqual([
    { kind: 'none' },
    { kind: 'reached' },
    { kind: 'none' },
  ])
})

test('the live window is reported once a second', () => {
  const watch = createLiveWatch()
  expect([2000, 2500, 3001, 3100].map((time) => watch.isReportDue(time))).toEqual([true, false, true, false])
})

test('in a group a correction turns at once when the target moves', () => {
  const watch = createLiveWatch()
  const beside = { isLowLatency: false, isInGroup: true }
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
