import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRunClock, type Arrival } from '../../../server/archive/recorder/run-clock.ts'

const t0 = Date.parse('2026-11-21T08:00:00.000Z')

/** Fragments of one second each; `delay` is how late each one came, in ms. */
const fragments = (delays: readonly number[], drift = 0): Arrival[] =>
  delays.map((delay, index) => ({ start: index, duration: 1, arrivedAt: t0 + (index + 1) * (1000 + drift) + delay }))

const wallStarts = (arrivals: readonly Arrival[], held = 2) => {
  let until = 0
  const clock = createRunClock(() => until)
  clock.begin(arrivals.slice(0, held))
  return arrivals.map((arrival) => {
    const placed = clock.toWallClock(arrival)
    until = Math.round(placed.start + arrival.duration * 1000)
    return placed
  })
}

describe('the clock of a run', () => {
  test('uses the fragment that arrived with the least delay', () => {
    expect(wallStarts(fragments([400, 120, 300, 250]))).toEqual([
      { start: t0 + 120, isNewRun: true },
      { start: t0 + 1120, isNewRun: false },
      { start: t0 + 2120, isNewRun: false },
      { start: t0 + 3120, isNewRun: false },
    ])
  })

  test('follows a camera whose clock is slow, without a cut', () => {
    const placed = wallStarts(
      fragments(
        Array.from({ length: 600 }, () => 100),
        1,
      ),
    )
    expect(placed.filter((each) => each.isNewRun)).toHaveLength(1)
    expect(Math.abs((placed[599]?.start ?? 0) - (t0 + 599 * 1001 + 100))).toBeLessThan(60)
  })

  test('follows a camera whose clock is fast, without a cut', () => {
    const placed = wallStarts(
      fragments(
        Array.from({ length: 600 }, () => 100),
        -1,
      ),
    )
    expect(placed.filter((each) => each.isNewRun)).toHaveLength(1)
    expect(Math.abs((placed[599]?.start ?? 0) - (t0 + 599 * 999 + 100))).toBeLessThan(60)
  })

  test('a busy machine that is late for a minute begins no run; a source that stops for two seconds does', () => {
    const late = (ms: number) =>
      wallStarts(fragments(Array.from({ length: 120 }, (_, second) => (second >= 30 && second < 90 ? ms : 50))))
    const placed = late(1200)
    expect(placed.filter((each) => each.isNewRun)).toHaveLength(1)
    for (const [second, { start }] of placed.entries())
      expect(Math.abs(start - (t0 + second * 1000 + 50))).toBeLessThan(130)
    expect(late(2000).filter((each) => each.isNewRun)).toHaveLength(2)
  })

  test('begins a new run where the media time jumps', () => {
    const arrivals = fragments([0, 0, 0, 0]).map((each, index) => ({
      ...each,
      start: each.start + (index > 1 ? 500 : 0),
    }))
    expect(wallStarts(arrivals).map((each) => each.isNewRun)).toEqual([true, false, true, false])
    expect(wallStarts(arrivals)[2]?.start).toBe(t0 + 2000)
  })

  test('fragments within a segment are registered; a jump ends the segment', () => {
    const part = (start: number, delay: number): Arrival => ({
      start,
      duration: 0.36,
      arrivedAt: t0 + (start + 0.36) * 1000 + delay,
    })
    const clock = createRunClock(() => 0)
    clock.begin([part(0, 400)])
    expect([
      clock.follow(part(0, 400)),
      clock.toWallClock(part(0, 400)),
      clock.follow(part(0.36, 100)),
      clock.follow(part(0.72, 400)),
      clock.follow(part(1.6, 400)),
    ]).toEqual([false, { start: t0 + 400, isNewRun: true }, true, true, false])
    expect(clock.toWallClock(part(1.08, 400))).toEqual({ start: t0 + 1080 + 398, isNewRun: false })
  })

  test('continues at the end of the last segment if the clock steps back by less than two seconds', () => {
    const placed = wallStarts(fragments(Array.from({ length: 90 }, (_, second) => (second > 10 ? -1500 : 0))))
    for (const [index, each] of placed.entries()) expect(each.start).toBe(t0 + index * 1000)
  })

  test.each<[name: string, delays: number[], drift?: number]>([
    [
      'a clock that steps back by 1.5 s again and again',
      Array.from({ length: 900 }, (_, at) => -1500 * Math.floor(at / 90)),
    ],
    [
      'a source that stops for 35 s, and then sends what it has kept',
      Array.from({ length: 300 }, (_, second) => (second >= 100 && second < 135 ? (134 - second) * 940 : 0)),
    ],
    ['a camera whose clock is fast by more than can be followed', Array.from({ length: 3000 }, () => 0), -10],
  ])('%s: no start is ever far ahead of its true time', (_name, delays, drift = 0) => {
    const arrivals = fragments(delays, drift)
    const placed = wallStarts(arrivals)
    const aheadMs = placed.map(({ start }, index) => start - ((arrivals[index]?.arrivedAt ?? 0) - 1000))
    expect(Math.max(...aheadMs)).toBeLessThan(2600)
    expect(Math.abs(aheadMs.at(-1) ?? Infinity)).toBeLessThan(2600)
  })

  test.each([-3 * 3_600_000, -10_000])(
    'begins a run at the true time after our clock was set back by %i ms, and once',
    (by) => {
      let until = 0
      const clock = createRunClock(() => until)
      const arrivals = fragments(Array.from({ length: 20 }, () => 50)).map((each, index) => ({
        ...each,
        arrivedAt: each.arrivedAt + (index < 10 ? 0 : by),
      }))
      clock.begin(arrivals.slice(0, 2))
      const placed = arrivals.map((each, at) => {
        if (at === 10) clock.rebase()
        const found = clock.toWallClock(each)
        until = found.start + 1000
        return found
      })
      expect(placed).toEqual(
        arrivals.map((_, at) => ({ start: t0 + at * 1000 + 50 + (at < 10 ? 0 : by), isNewRun: at === 0 || at === 10 })),
      )
    },
  )

  test('after a correction of the clock uses only what arrived since, the fragment with the least delay', () => {
    const clock = createRunClock(() => 0)
    clock.begin(fragments([0]))
    const behind = 10_000
    const [first, ...later] = fragments([0, behind + 100, behind + 900])
    if (first === undefined) throw new Error('no fragment')
    expect(clock.toWallClock(first)).toEqual({ start: t0, isNewRun: true })
    clock.rebase()
    const [second, third] = later
    if (second === undefined || third === undefined) throw new Error('no fragment')
    expect(clock.follow(second)).toBe(true)
    expect(clock.toWallClock(third)).toEqual({ start: t0 + 2000 + behind + 100, isNewRun: true })
  })

  test('a connection begins at the true time, however much was recorded ahead of it', () => {
    const clock = createRunClock(() => t0 + 3_600_000)
    clock.begin(fragments([0]))
    expect(clock.toWallClock({ start: 0, duration: 1, arrivedAt: t0 + 1000 })).toEqual({ start: t0, isNewRun: true })
  })

  test('a source that knows its time is trusted until it has drifted', () => {
    const clock = createRunClock(() => 0, t0)
    expect(clock.toWallClock({ start: 0, duration: 1, arrivedAt: t0 + 1100 })).toEqual({ start: t0, isNewRun: true })
    expect(clock.hasDrifted()).toBe(false)
    const later = createRunClock(() => 0, t0)
    later.toWallClock({ start: 0, duration: 1, arrivedAt: t0 + 10_000 })
    expect(later.hasDrifted()).toBe(true)
    clock.rebase()
    clock.toWallClock({ start: 1, duration: 1, arrivedAt: t0 + 12_000 })
    expect(clock.hasDrifted()).toBe(true)
  })

  test('never lets dates overlap by more than a few milliseconds, whatever comes, unless a run goes back', () => {
    const step = fc.record({
      late: fc.integer({ min: -70_000, max: 70_000 }),
      skip: fc.constantFrom(0, 0, 0, 0, 3, 600, -2),
    })
    const minDistance = (steps: readonly { late: number; skip: number }[]): number => {
      let media = 0
      const arrivals = steps.map(({ late, skip }, index) => {
        media += 1 + skip
        return { start: media, duration: 1, arrivedAt: t0 + index * 1000 + late }
      })
      const placed = wallStarts(arrivals)
      const distances = placed.map(({ start, isNewRun }, index) => {
        const distance = start - (placed[index - 1]?.start ?? -Infinity)
        return isNewRun && distance < 1000 - 2000 ? Infinity : distance
      })
      return Math.min(...distances)
    }
    expect(
      fc.check(fc.property(fc.array(step, { minLength: 3, maxLength: 60 }), (steps) => minDistance(steps) >= 1000 - 4))
        .failed,
    ).toBe(false)
  })
})
