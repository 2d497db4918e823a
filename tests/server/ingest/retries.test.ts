import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FailureReason } from '../../../server/media/failures.ts'
import { createRetries } from '../../../server/streams/retries.ts'
import { createVideoTime } from '../../../server/ingest/video-time.ts'
import { fragmentAt } from '../fixtures/engine.ts'

const middle = () => 0.5
const lengths = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 40 })
const chance = fc.double({ min: 0, max: 1, noNaN: true })

describe('a camera is asked again', () => {
  test('a second after it first fails, then ever later, up to half a minute', () => {
    const retries = createRetries(middle)
    expect(Array.from({ length: 8 }, () => retries.fail(0))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ])
    expect(retries.failures()).toBe(8)
  })

  test('at once after ten seconds of video, whatever went before', () => {
    fc.assert(
      fc.property(lengths, chance, (before, random) => {
        const retries = createRetries(() => random)
        for (const videoMs of before) retries.fail(videoMs)
        const delay = retries.fail(10_000)
        expect([delay <= 200, retries.failures()]).toEqual([true, 1])
      }),
    )
  })

  test('each time at once where it drops every twenty seconds', () => {
    const retries = createRetries(middle)
    expect([20_000, 20_000, 20_000, 20_000].map((videoMs) => retries.fail(videoMs))).toEqual([100, 100, 100, 100])
  })

  test('each half second for some seconds where the retry after good video fails, then later', () => {
    const retries = createRetries(middle)
    for (let count = 0; count < 20; count += 1) retries.fail(0)
    const quick = [500, 500, 500, 500, 500, 500]
    expect([60_000, 0, 9999, 0, 0, 0, 0, 0, 0].map((videoMs) => retries.fail(videoMs))).toEqual([
      100,
      ...quick,
      1000,
      2000,
    ])
    expect([10_000, 0].map((videoMs) => retries.fail(videoMs))).toEqual([100, 500])
  })

  test('within 0.65 s of its return, if it was good and then away for two seconds', () => {
    fc.assert(
      fc.property(fc.array(chance, { minLength: 10, maxLength: 10 }), (jitter) => {
        const left = [...jitter]
        const retries = createRetries(() => left.shift() ?? 0.5)
        let elapsed = retries.fail(60_000)
        while (elapsed < 2000) elapsed += retries.fail(0)
        expect(elapsed).toBeLessThan(2651)
      }),
    )
  })

  test('later the more it fails, by chance 30 % earlier or later, and never later than 39 s', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 15_000 }), chance), { minLength: 1 }), (failures) => {
        let random = 0
        const retries = createRetries(() => random)
        const steady = createRetries(middle)
        for (const [videoMs, luck] of failures) {
          random = luck
          const [delay, usual] = [retries.fail(videoMs), steady.fail(videoMs)]
          expect(delay).toBeCloseTo(usual * (0.7 + 0.6 * luck), 6)
          expect(delay).toBeLessThanOrEqual(39_000)
        }
      }),
    )
  })

  test('not before ten seconds where it rejects the password, as it may lock out who repeats it', () => {
    const retries = createRetries(middle)
    const reject = () => retries.fail(0, 'HTTP_UNAUTHORIZED')
    expect([reject(), reject(), retries.fail(0)]).toEqual([10_000, 10_000, 4000])
    expect(createRetries(() => 0).fail(0, 'HTTP_UNAUTHORIZED')).toBe(10_000)
  })

  test('as for the first time after its source was changed', () => {
    const retries = createRetries(middle)
    for (const videoMs of [10_000, 0, 0]) retries.fail(videoMs)
    retries.reset()
    expect([retries.failures(), retries.fail(0)]).toEqual([0, 1000])
  })
})

describe('a camera is probed again', () => {
  /** Whether it is after each failure of a good camera; `videoMs`: how long each retry got video. */
  const probesAfter = (reasons: readonly FailureReason[], videoMs = 0) => {
    const retries = createRetries(middle)
    retries.fail(60_000, 'The connection was lost')
    return reasons.map((reason) => {
      retries.fail(videoMs, reason)
      return retries.needsProbe()
    })
  }

  test('not while it is away or starts, for fifteen failures, as a restart rarely changes its tracks', () => {
    const away = ['EHOSTUNREACH', 'HTTP_NOT_FOUND'] as const
    const reasons = Array.from({ length: 16 }, (_, index) => away[index % 2] ?? 'EHOSTUNREACH')
    expect(probesAfter(reasons)).toEqual([...Array.from({ length: 14 }, () => false), true, true])
    expect(probesAfter(['The connection was lost', 'The connection was lost'], 100)).toEqual([false, false])
  })

  test('from the second failure on where it sends what can’t be read', () => {
    expect(probesAfter(['ProbeError'])).toEqual([true])
    expect(probesAfter(['EHOSTUNREACH', 'The source has no video', 'EHOSTUNREACH'])).toEqual([false, true, false])
    expect(probesAfter(['The connection was lost'])).toEqual([true])
  })
})

test('of a connection only the time from the first to the last picture counts', () => {
  const clock = { now: 5000 }
  const video = createVideoTime(() => clock.now)
  const taken: number[] = []
  const sink = video.measured({
    take: (_fragment, arrivedAt) => void taken.push(arrivedAt),
    finish: async () => undefined,
    ending: () => 'drifted',
  })
  const before = video.ms()
  for (const now of [8000, 9000, 20_500]) {
    clock.now = now
    sink.take(fragmentAt(0, true), now)
  }
  clock.now = 50_000
  expect([before, video.ms(), taken, sink.ending()]).toEqual([0, 12_500, [8000, 9000, 20_500], 'drifted'])
})
