import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  forecastRetention,
  shareOut,
  type ForecastInput,
} from '../../../server/archive/retention/retention-forecast.ts'

const stream = (uid: string, rest: Partial<ForecastInput> = {}): ForecastInput => ({
  uid,
  owner: null,
  isOfAdministrator: false,
  bytes: 50,
  bytesPerDay: 10,
  depthDays: Infinity,
  quotaBytes: Infinity,
  ...rest,
})

const wishes = fc.array(fc.record({ want: fc.nat(1000), weight: fc.integer({ min: 1, max: 5 }) }), { maxLength: 8 })

describe('a budget shared by weight', () => {
  test('is used up or satisfies all demands, and exceeds none', () => {
    fc.assert(
      fc.property(wishes, fc.nat(3000), (asked, budget) => {
        const shares = [...shareOut(asked, budget)]
        const sum = shares.reduce((all, [, share]) => all + share, 0)
        const wanted = asked.reduce((all, { want }) => all + want, 0)
        expect(sum).toBeCloseTo(Math.min(budget, wanted), 6)
        for (const [{ want }, share] of shares) expect(share).toBeLessThanOrEqual(want + 1e-6)
      }),
    )
  })

  test('gives a demand that is not met at least the share of any other one', () => {
    fc.assert(
      fc.property(wishes, fc.nat(3000), (asked, budget) => {
        const shares = [...shareOut(asked, budget)]
        const short = shares.filter(([{ want }, share]) => share < want - 1e-6)
        for (const [{ weight }, share] of short)
          for (const [other, others] of shares)
            expect(share / weight).toBeGreaterThanOrEqual(others / other.weight - 1e-6)
      }),
    )
  })

  test('without a limit meets all demands', () => {
    expect([
      ...shareOut(
        [
          { want: Infinity, weight: 1 },
          { want: 3, weight: 1 },
        ],
        Infinity,
      ).values(),
    ]).toEqual([3, Infinity])
  })
})

test.each<[string, ForecastInput[], { site?: number; disk?: number }, [string, string, number | null][]]>([
  ['its depth', [stream('a', { depthDays: 7 })], {}, [['a', 'days', 7]]],
  ['its quota', [stream('a', { depthDays: 7, quotaBytes: 30 })], {}, [['a', 'quota', 3]]],
  ['a quota that the depth does not reach', [stream('a', { depthDays: 2, quotaBytes: 30 })], {}, [['a', 'days', 2]]],
  ['the disk', [stream('a', { depthDays: 7 })], { disk: 40 }, [['a', 'disk', 4]]],
  ['what the site may hold', [stream('a')], { site: 20, disk: 40 }, [['a', 'site', 2]]],
  ['nothing', [stream('a')], {}, [['a', 'none', null]]],
  ['nothing, while nothing is recorded', [stream('a', { bytesPerDay: 0 })], { disk: 90 }, [['a', 'none', null]]],
  ['its depth, while nothing is recorded', [stream('a', { bytesPerDay: 0, depthDays: 3 })], {}, [['a', 'days', null]]],
  [
    'the same bytes for each stream, less what one of them does not need',
    [stream('a'), stream('b', { bytesPerDay: 100 }), stream('c', { depthDays: 1 })],
    { disk: 210 },
    [
      ['a', 'disk', 10],
      ['b', 'disk', 1],
      ['c', 'days', 1],
    ],
  ],
  [
    'a share of the owner: many streams of a user weigh no more than those of the site',
    [stream('a'), ...['b', 'c', 'd', 'e'].map((uid) => stream(uid, { owner: 'Eve' }))],
    { disk: 200 },
    [['a', 'disk', 10], ...['b', 'c', 'd', 'e'].map((uid): [string, string, number] => [uid, 'disk', 2.5])],
  ],
])('an archive is bounded by %s', (_name, streams, { site = Infinity, disk = Infinity }, expected) => {
  expect(forecastRetention(streams, site, disk).map(({ uid, limit, daysAhead }) => [uid, limit, daysAhead])).toEqual(
    expected,
  )
})
