import { describe, expect, test } from 'vitest'
import { bufferingGoal, engineHoldBack, isMutedAt, liveCorrection, liveHoldBack } from './live-edge.ts'

const alone = { isLowLatency: false, isInGroup: false }
const inParts = { isLowLatency: true, isInGroup: false }
const beside = { isLowLatency: false, isInGroup: true }

describe('the live edge', () => {
  test('in a group a picture that is ahead slows down or jumps back, and one that is behind catches up sooner', () => {
    const corrections = (drifts: number[], isCorrecting: boolean) =>
      drifts.map((drift) => liveCorrection(drift, isCorrecting, beside))
    expect(corrections([-2.1, -2, -0.4, -0.2, 0.2, 0.4, 8.1], false)).toEqual([
      { kind: 'jump' },
      { kind: 'rate', rate: 0.9 },
      { kind: 'rate', rate: 0.96 },
      { kind: 'none' },
      { kind: 'none' },
      { kind: 'rate', rate: 1.04 },
      { kind: 'jump' },
    ])
    expect(corrections([-0.2, -0.1, 0.1, 0.2], true).map(({ kind }) => kind)).toEqual(['rate', 'none', 'none', 'rate'])
    expect(liveCorrection(-5, true, alone)).toEqual({ kind: 'none' })
  })

  test('a drift is corrected by a rate up to 1.1, above 8 s by a jump', () => {
    expect([0, 0.2, 0.8, 2, 7.9, 8.1].map((drift) => liveCorrection(drift, false, alone))).toEqual([
      { kind: 'none' },
      { kind: 'none' },
      { kind: 'rate', rate: 1.04 },
      { kind: 'rate', rate: 1.1 },
      { kind: 'rate', rate: 1.1 },
      { kind: 'jump' },
    ])
  })

  test('a correction ends near the target', () => {
    expect([1.5, 0.2, 0.1].map((drift) => liveCorrection(drift, true, alone).kind)).toEqual(['rate', 'rate', 'none'])
  })

  test('low latency has smaller thresholds', () => {
    expect([0.15, 0.25, 1, 4.1].map((drift) => liveCorrection(drift, false, inParts))).toEqual([
      { kind: 'none' },
      { kind: 'rate', rate: 1.05 },
      { kind: 'rate', rate: 1.1 },
      { kind: 'jump' },
    ])
    expect([0.1, 0.04].map((drift) => liveCorrection(drift, true, inParts).kind)).toEqual(['rate', 'none'])
  })

  test('longer segments and higher rates need more buffer', () => {
    expect([liveHoldBack(1, 0), liveHoldBack(2, 2), bufferingGoal(1), bufferingGoal(16)]).toEqual([1.6, 3.2, 10, 64])
  })

  test('live is at the first of segments that come at once', () => {
    expect([liveHoldBack(0.5, 2), liveHoldBack(2, 2), liveHoldBack(4, 5)]).toEqual([3.9, 3.2, 6.4])
  })

  test("shaka's edge is two seconds after live, and never 0", () => {
    expect([0.72, 1.4, 2, 2.0004, 8.4].map(engineHoldBack).map((seconds) => seconds.toFixed(3))).toEqual([
      '-1.280',
      '-0.600',
      '-0.001',
      '-0.001',
      '6.400',
    ])
  })

  test('sound above twice the speed is muted', () => {
    expect([0.25, 1, 2, 4, 16].map(isMutedAt)).toEqual([false, false, false, true, true])
  })
})
