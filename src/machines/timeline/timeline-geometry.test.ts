import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aheadOfNow,
  canZoomIn,
  canZoomOut,
  centreOn,
  defaultPeriod,
  followPlayhead,
  lengthOf,
  maxPeriod,
  moveByQuarter,
  panTo,
  refreshInterval,
  minPeriod,
  timeToX,
  xToTime,
  zoomAt,
  zoomIn,
  zoomOut,
} from './timeline-geometry.ts'
import { periodAfter } from './timeline.context.ts'

const minute = 60_000
const hour = 60 * minute
const now = Date.UTC(2026, 10, 21, 12)

const anyPeriod = fc
  .tuple(fc.integer({ min: Date.UTC(2011, 0), max: Date.UTC(2030, 0) }), fc.integer({ min: minPeriod, max: maxPeriod }))
  .map(([from, length]) => ({ from, to: from + length }))
const anyWidth = fc.integer({ min: 200, max: 4000 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

describe('the period', () => {
  test('starts from 20 hours before now to 3 hours ahead', () => {
    expect(defaultPeriod(now)).toEqual({ from: now - 20 * hour, to: now + 3 * hour })
  })

  test('a step out keeps its end 3 hours ahead of now, whatever its length', () => {
    const period = defaultPeriod(now)
    const zoomed = { from: period.to - 23.46 * hour, to: period.to }
    expect(zoomOut(period, now - 12 * hour, now, 1.02)).toEqual(zoomed)
    const event = { type: 'timeline.zoomedAt', factor: 1 / 1.02, at: now - 12 * hour } as const
    expect(periodAfter({ period, playhead: null, live: { now } }, event)).toEqual(zoomed)
  })

  test('a step in divides by 1.5 about what is playing, or about the middle', () => {
    const period = { from: now - 6 * hour, to: now }
    expect(zoomIn(period, null)).toEqual({ from: now - 5 * hour, to: now - hour })
    expect(zoomIn(period, now - 6 * hour)).toEqual({ from: now - 6 * hour, to: now - 2 * hour })
    expect(zoomIn(period, now + hour)).toEqual({ from: now - 5 * hour, to: now - hour })
  })

  test('a step stops at 5 minutes and at 24 hours', () => {
    const short = zoomIn({ from: 0, to: 6 * minute }, null)
    expect(lengthOf(short)).toBe(5 * minute)
    expect([canZoomIn(short), zoomIn(short, null)]).toEqual([false, short])
    const long = zoomOut({ from: now - 20 * hour, to: now }, null, now)
    expect(lengthOf(long)).toBe(24 * hour)
    expect([canZoomOut(long), zoomOut(long, null, now)]).toEqual([false, long])
  })

  test('zooming out keeps an end that is 3 hours ahead or more, and lets no other grow beyond', () => {
    expect(zoomOut({ from: now, to: now + 4 * hour }, null, now)).toEqual({ from: now - 2 * hour, to: now + 4 * hour })
    expect(zoomOut({ from: now - hour, to: now + 3 * hour }, null, now)).toEqual({
      from: now - 3 * hour,
      to: now + 3 * hour,
    })
    expect(zoomOut({ from: now - 3 * hour, to: now + hour }, null, now)).toEqual({
      from: now - 4 * hour,
      to: now + 2 * hour,
    })
    expect(zoomOut({ from: now - hour, to: now + 2.5 * hour }, null, now).to).toBe(now + aheadOfNow)
  })

  test('zooming out keeps the end of the default period some seconds after it was opened', () => {
    expect(zoomOut(defaultPeriod(now), now, now + 5000)).toEqual({ from: now - 21 * hour, to: now + 3 * hour })
  })

  test('a move is a quarter, centring puts a moment in the middle', () => {
    const period = { from: now - 4 * hour, to: now }
    expect(moveByQuarter(period, -1)).toEqual({ from: now - 5 * hour, to: now - hour })
    expect(moveByQuarter(period, 1)).toEqual({ from: now - 3 * hour, to: now + hour })
    expect(centreOn(period, now)).toEqual({ from: now - 2 * hour, to: now + 2 * hour })
    expect(panTo(period, now + hour, now)).toEqual({ from: now, to: now + 4 * hour })
  })

  test('follows a playhead that leaves it, and only such a one', () => {
    const period = { from: 0, to: 40 * minute }
    expect(followPlayhead(period, 39 * minute, 41 * minute)).toEqual({ from: 31 * minute, to: 71 * minute })
    expect(followPlayhead({ from: hour, to: 2 * hour }, hour, 45 * minute)).toEqual({ from: 0, to: hour })
    expect(followPlayhead(period, 10 * minute, 11 * minute)).toBe(period)
    expect(followPlayhead(period, 50 * minute, 51 * minute)).toBe(period)
    expect(followPlayhead(period, null, 51 * minute)).toBe(period)
    expect(followPlayhead(period, 10 * minute, null)).toBe(period)
  })

  test('refreshes every six times the seconds per pixel, every 3.5 seconds at most', () => {
    expect(refreshInterval({ from: 0, to: 23 * hour }, 1150)).toBe(432_000)
    expect(refreshInterval({ from: 0, to: 5 * minute }, 1150)).toBe(3500)
    expect(refreshInterval({ from: 0, to: 5 * minute }, 0)).toBe(1_800_000)
  })
})

describe('for any period and width', () => {
  test('a moment goes to its pixel and back', () => {
    fc.assert(
      fc.property(anyPeriod, anyWidth, share, (period, width, where) => {
        const x = where * width
        expect(timeToX(period, width, xToTime(period, width, x))).toBeCloseTo(x, 2)
        const at = Math.round(period.from + where * lengthOf(period))
        expect(Math.round(xToTime(period, width, timeToX(period, width, at)))).toBe(at)
        expect([timeToX(period, width, period.from), timeToX(period, width, period.to)]).toEqual([0, width])
      }),
    )
  })

  test('zooming keeps the time under the pointer, to the rounding of a millisecond, and the limits', () => {
    fc.assert(
      fc.property(
        anyPeriod,
        anyWidth,
        share,
        fc.double({ min: 0.05, max: 20, noNaN: true }),
        (period, width, where, factor) => {
          const x = where * width
          const at = xToTime(period, width, x)
          const zoomed = zoomAt(period, factor, at)
          expect(Math.abs(xToTime(zoomed, width, x) - at)).toBeLessThanOrEqual(2)
          expect(lengthOf(zoomed)).toBeGreaterThanOrEqual(minPeriod)
          expect(lengthOf(zoomed)).toBeLessThanOrEqual(maxPeriod)
        },
      ),
    )
  })

  test('at a limit, zooming on changes nothing, wherever the pointer is', () => {
    fc.assert(
      fc.property(anyPeriod, share, fc.double({ min: 1, max: 20, noNaN: true }), ({ from }, where, factor) => {
        for (const [length, by] of [
          [minPeriod, factor],
          [maxPeriod, 1 / factor],
        ] as const) {
          const period = { from, to: from + length }
          expect(zoomAt(period, by, from + where * length)).toEqual(period)
        }
      }),
    )
  })

  test('every button keeps the limits', () => {
    fc.assert(
      fc.property(anyPeriod, fc.array(fc.constantFrom('in', 'out', 'earlier', 'later')), (start, steps) => {
        let period = start
        for (const step of steps) {
          if (step === 'in') period = zoomIn(period, null)
          if (step === 'out') period = zoomOut(period, null, now)
          if (step === 'earlier') period = moveByQuarter(period, -1)
          if (step === 'later') period = moveByQuarter(period, 1)
        }
        expect(lengthOf(period)).toBeGreaterThanOrEqual(minPeriod)
        expect(lengthOf(period)).toBeLessThanOrEqual(maxPeriod)
      }),
    )
  })
})
