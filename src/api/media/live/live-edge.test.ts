import { describe, expect, test } from 'vitest'
import { engineErrorOf, failureOf, retryAfterOfError } from '../engine/failure.ts'
import { mapSegments } from '../playlist/segment-timeline.ts'
import { bufferingGoal, isMutedAt, liveCorrection, liveHoldBack } from './live-edge.ts'

const alone = { isLowLatency: false, isInGroup: false }
const inParts = { isLowLatency: true, isInGroup: false }
const beside = { isLowLatency: false, isInGroup: true }

describe('the live edge', () => {
  test('in a group a picture that is ahead slows down or jumps back, and one that is behind catches up sooner', () => {
    const kinds = (drifts: number[], isCorrecting: boolean) =>
      drifts.map((drift) => liveCorrection(drift, isCorrecting, beside))
    expect(kinds([-2.1, -2, -0.4, -0.2, 0.2, 0.4, 8.1], false)).toEqual([
      { kind: 'jump' },
      { kind: 'rate', rate: 0.9 },
      { kind: 'rate', rate: 0.96 },
      { kind: 'none' },
      { kind: 'none' },
      { kind: 'rate', rate: 1.04 },
      { kind: 'jump' },
    ])
    expect(kinds([-0.2, -0.1, 0.1, 0.2], true).map(({ kind }) => kind)).toEqual(['rate', 'none', 'none', 'rate'])
    expect(liveCorrection(-5, true, alone)).toEqual({ kind: 'none' })
  })

  test('a drift is corrected by a rate up to 1.1, above 8 s by a jump', () => {
    expect([0, 0.4, 0.8, 2, 7.9, 8.1].map((drift) => liveCorrection(drift, false, alone))).toEqual([
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
    expect([liveHoldBack(1), liveHoldBack(2), bufferingGoal(1), bufferingGoal(16)]).toEqual([1.5, 3, 10, 64])
  })

  test('sound above twice the speed is muted', () => {
    expect([0.25, 1, 2, 4, 16].map(isMutedAt)).toEqual([false, false, false, true, true])
  })
})

test('maps errors of the engine to failures', () => {
  const status = (code: number) => failureOf({ code: 1001, data: ['uri', code] })
  expect([401, 403, 404, 410, 500, 503, 0].map(status)).toEqual([
    'expired',
    'forbidden',
    'missing',
    'missing',
    'server',
    'busy',
    'network',
  ])
  expect([1002, 1003, 4032, 4012, 4053, 4015, 3016, 0].map((code) => failureOf({ code, data: [] }))).toEqual([
    'network',
    'network',
    'codec',
    'codec',
    'empty',
    'unreadable',
    'unreadable',
    'network',
  ])
  const date = 'Wed, 25 Nov 2026 00:59:30 GMT'
  const pause = (value: string) =>
    retryAfterOfError({ code: 1001, data: ['uri', 503, '', { 'retry-after': value, date }] })
  expect(['10', '', 'Wed, 25 Nov 2026 01:00:00 GMT', '-1', '9999'].map(pause)).toEqual([10, null, 30, null, 600])
  expect([retryAfterOfError({ code: 1001, data: [] }), retryAfterOfError({ code: 1002, data: [] })]).toEqual([
    null,
    null,
  ])
  expect([7000, 7003].map((code) => failureOf({ code, data: [] }))).toEqual([null, null])
  expect([engineErrorOf(null), engineErrorOf(new Error('x')), engineErrorOf({ code: 1001, data: [1] })]).toEqual([
    { code: 0, data: [] },
    { code: 0, data: [] },
    { code: 1001, data: [1] },
  ])
})

describe('dates that are missing or wrong', () => {
  const from = Date.UTC(2026, 10, 21, 8)
  const source = { kind: 'archive', uid: 'gate', from, to: from + 60_000 } as const
  const segments = (utc: number | null) => [
    { media: 0, duration: 2, utc },
    { media: 2, duration: 2, utc: utc === null ? null : utc + 2000 },
  ]

  test('an archive starts at the requested moment', () => {
    expect(mapSegments(segments(null), source, 0)?.toUtc(1)).toBe(from + 1000)
    expect(mapSegments(segments(0), source, 0)?.toUtc(1)).toBe(from + 1000)
    expect(mapSegments(segments(from - 1500), source, 0)?.toUtc(1)).toBe(from - 500)
  })

  test('live ends now', () => {
    expect(mapSegments(segments(null), { kind: 'live', uid: 'gate' }, from)?.toUtc(4)).toBe(from)
    expect(mapSegments([], source, 0)).toBeNull()
  })
})
