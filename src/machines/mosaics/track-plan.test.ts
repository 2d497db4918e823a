import { describe, expect, test } from 'vitest'
import type { Interval } from '../timeline/intervals.ts'
import {
  isOutsideLoaded,
  knownIntervals,
  type LoadedInput,
  rangeFor,
  recordedAt,
  type TrackRangeInput,
} from './track-plan.ts'

const minute = 60_000
const start = Date.UTC(2026, 10, 21, 8)

/** Ten minutes recorded, a gap of two, an hour recorded, a gap to the end of what is known. */
const intervals = [
  { type: 'fragment', from: start, to: start + 10 * minute },
  { type: 'gap', from: start + 10 * minute, to: start + 12 * minute },
  { type: 'fragment', from: start + 12 * minute, to: start + 72 * minute },
  { type: 'gap', from: start + 72 * minute, to: start + 90 * minute },
] as const

const inputAt = (given: Partial<TrackRangeInput> & { minutes: number }): TrackRangeInput => ({
  intervals,
  rate: 1,
  playlistMaxSeconds: 604_800,
  requested: null,
  at: start + given.minutes * minute,
  ...given,
})

/** In minutes, as the moments above. */
const range = (given: Partial<TrackRangeInput> & { minutes: number }) => {
  const found = rangeFor(inputAt(given))
  return found === null ? null : [(found.from - start) / minute, (found.to - start) / minute]
}

test('how a camera stands at a moment', () => {
  expect([-1, 0, 9.99, 10, 12, 80, 91].map((minutes) => recordedAt(inputAt({ minutes })))).toEqual([
    'unknown',
    'recorded',
    'recorded',
    'gap',
    'recorded',
    'gap',
    'unknown',
  ])
})

describe('the range that a tile holds', () => {
  test.each([
    ['begins a minute early', { minutes: 30 }, [29, 50]],
    ['but not before what is recorded', { minutes: 12.5 }, [12, 32.5]],
    ['goes over gaps', { minutes: 5 }, [4, 25]],
    ['is longer at speed', { minutes: 20, rate: 4 }, [19, 60]],
    ['is no longer than the server allows', { minutes: 30, playlistMaxSeconds: 300 }, [29, 34]],
    ['and has the moment within so short a range', { minutes: 30, playlistMaxSeconds: 60 }, [29.75, 30.75]],
    ['is none far from the end of a gap', { minutes: 10.5 }, null],
    ['is what follows a gap shortly before it', { minutes: 11.9 }, [12, 32]],
    ['sooner at speed', { minutes: 10.5, rate: 8 }, [12, 92]],
    ['is none in the last gap, and none where nothing is known', { minutes: 80 }, null],
  ])('%s', (_, given, expected) => {
    expect(range(given)).toEqual(expected)
  })

  test.each([
    ['ends a minute after the moment', { minutes: 50, rate: -1 }, [30, 51]],
    ['but not after what is recorded', { minutes: 71.5, rate: -1 }, [51.5, 72]],
    ['goes over gaps', { minutes: 14, rate: -1 }, [-6, 15]],
    ['is longer at speed', { minutes: 70, rate: -4 }, [30, 71]],
    ['is no longer than the server allows', { minutes: 50, rate: -1, playlistMaxSeconds: 300 }, [46, 51]],
    ['and has the moment within so short a range', { minutes: 50, rate: -1, playlistMaxSeconds: 60 }, [49.25, 50.25]],
    ['is none far from the start of a gap', { minutes: 11.5, rate: -1 }, null],
    ['is what precedes a gap shortly after it', { minutes: 10.1, rate: -1 }, [(-10 * minute - 1) / minute, 10]],
    ['sooner at speed', { minutes: 11.5, rate: -8 }, [(-70 * minute - 1) / minute, 10]],
    ['is none before all that is known', { minutes: -1, rate: -1 }, null],
  ])('backwards %s', (_, given, expected) => {
    expect(range(given)).toEqual(expected)
  })

  test('backwards stays the same as long as it contains the moment', () => {
    const requested = { from: start + 4 * minute, to: start + 25 * minute }
    const kept = [24, 14, 11, 4].map((minutes) => rangeFor(inputAt({ minutes, rate: -2, requested })) === requested)
    expect([kept, range({ minutes: 3, rate: -2, requested })]).toEqual([
      [true, true, true, true],
      [-17, 4],
    ])
  })

  test('stays the same as long as it contains the moment, or what follows the gap', () => {
    const requested = { from: start + 4 * minute, to: start + 25 * minute }
    const kept = [4, 10.5, 11.9, 24].map((minutes) => rangeFor(inputAt({ minutes, requested })) === requested)
    expect({
      kept,
      after: range({ minutes: 25, requested }),
      before: range({ minutes: 3, requested }),
      unknown: rangeFor(inputAt({ minutes: 95, requested })),
    }).toEqual({
      kept: [true, true, true, true],
      after: [24, 45],
      before: [2, 23],
      unknown: null,
    })
  })
})

describe('a tile loads its range again, five seconds after the request at the earliest,', () => {
  const range = { from: 0, to: 1000 }
  const outside = (given: Partial<LoadedInput>) =>
    isOutsideLoaded({
      loaded: range,
      source: { kind: 'archive', uid: 'gate', ...range },
      at: 1000,
      rate: 1,
      now: 5001,
      requested: range,
      requestedSince: 0,
      ...given,
    })

  test('forwards at the end of what is loaded', () => {
    expect([{}, { now: 5000 }, { at: 999 }, { at: null }, { loaded: null }, { rate: -1 }].map(outside)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })

  test('before the rest that it has loaded after a failure', () => {
    const rest = { from: 500, to: 1000 }
    const after = { loaded: rest, source: { kind: 'archive', uid: 'gate', ...rest } } as const
    expect(
      [
        { at: 499 },
        { at: 499, rate: -1 },
        { at: 500 },
        { at: 499, now: 5000 },
        { at: 499, requested: rest },
        { at: 499, loaded: null },
      ].map((given) => outside({ ...after, ...given })),
    ).toEqual([true, true, false, false, false, false])
  })
})

test('only the part of a chunk that was past when it was loaded is known', () => {
  const content: readonly Interval[] = [{ type: 'gap', from: 0, to: 1000 }]
  const known = (loadedAt: number) => knownIntervals({ from: 0, to: 1000, loadedAt, content, isStale: false })
  expect([known(400), known(2000), known(-5)]).toEqual([
    { from: 0, to: 400, intervals: [{ type: 'gap', from: 0, to: 400 }] },
    { from: 0, to: 1000, intervals: content },
    { from: 0, to: 0, intervals: [] },
  ])
})
