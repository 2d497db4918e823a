import { array, assert, double, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createUtcMap, type DatedSegment, type UtcMap } from './utc-map.ts'

const start = Date.UTC(2026, 10, 21, 8)

function mapOf(segments: readonly DatedSegment[]): UtcMap {
  const map = createUtcMap(segments)
  if (map === null) throw new Error('there is nothing to map')
  return map
}

/** Segments placed end to end on the media timeline, with a gap of wall-clock time before each. */
function placeSegments(segments: readonly { duration: number; gapMs: number }[]): DatedSegment[] {
  let media = 0
  let utc = start
  return segments.map(({ duration, gapMs }) => {
    utc += gapMs
    const segment = { media, duration, utc }
    media += duration
    utc += duration * 1000
    return segment
  })
}

describe('media time and UTC', () => {
  test('no segments make no map', () => {
    expect(createUtcMap([])).toBeNull()
  })

  test('a gap has no media time', () => {
    const map = mapOf(
      placeSegments([
        { duration: 2, gapMs: 0 },
        { duration: 2, gapMs: 3_600_000 },
      ]),
    )
    expect([map.toUtc(1.5), map.toUtc(2), map.toUtc(3)]).toEqual([start + 1500, start + 3_602_000, start + 3_603_000])
  })

  test('nine gaps of 0.9 s add up', () => {
    const map = mapOf(
      placeSegments(Array.from({ length: 10 }, (_, index) => ({ duration: 2, gapMs: index === 0 ? 0 : 900 }))),
    )
    expect(map.toUtc(18.5)).toBe(start + 18_500 + 9 * 900)
  })

  test('every segment is exact, also with wrong durations', () => {
    const segments = Array.from({ length: 100 }, (_, index) => ({
      media: index * 2,
      duration: 2,
      utc: start + index * 2040,
    }))
    expect(mapOf(segments).toUtc(180.5)).toBe(start + 90 * 2040 + 500)
  })

  test('a moment in a gap is the end of the gap, one outside the map is null', () => {
    const map = mapOf(
      placeSegments([
        { duration: 2, gapMs: 0 },
        { duration: 2, gapMs: 60_000 },
      ]),
    )
    expect([map.toMedia(start + 30_000), map.toMedia(start - 1000), map.toMedia(start + 70_000)]).toEqual([
      2,
      null,
      null,
    ])
  })

  test('a frame slightly before its segment belongs to the segment', () => {
    const map = mapOf(
      placeSegments([
        { duration: 2, gapMs: 0 },
        { duration: 2, gapMs: 60_000 },
      ]),
    )
    expect(map.toUtc(1.9995)).toBeCloseTo(start + 61_999.5, 3)
  })

  test('moments are found after the clock was set back', () => {
    const map = mapOf([
      { media: 0, duration: 10, utc: start },
      { media: 10, duration: 10, utc: start - 60_000 },
    ])
    expect([map.from, map.to, map.toUtc(12), map.toMedia(start - 58_000)]).toEqual([
      start - 60_000,
      start + 10_000,
      start - 58_000,
      12,
    ])
  })

  test('to media time and back gives the same moment, except in the last 2 ms of a segment', () => {
    const segments = array(
      record({
        duration: integer({ min: 20, max: 6000 }).map((ms) => ms / 1000),
        gapMs: integer({ min: 0, max: 5_000_000 }),
      }),
      { minLength: 1, maxLength: 60 },
    )
    assert(
      property(segments, double({ min: 0, max: 0.999, noNaN: true }), (list, part) => {
        const placed = placeSegments(list)
        const map = mapOf(placed)
        const segment = placed[Math.floor(part * placed.length)]
        if (segment === undefined) throw new Error('no segment')
        const at = segment.utc + (segment.duration * 1000 - 3) * part
        const media = map.toMedia(at)
        expect(media).not.toBeNull()
        expect(Math.abs(map.toUtc(media ?? Number.NaN) - at)).toBeLessThan(0.01)
      }),
    )
  })

  test('UTC never decreases along the media', () => {
    const segments = array(
      record({
        duration: integer({ min: 1, max: 60 }).map((tenths) => tenths / 10),
        gapMs: integer({ min: 0, max: 100_000 }),
      }),
      { minLength: 1, maxLength: 30 },
    )
    assert(
      property(segments, array(double({ min: 0, max: 200, noNaN: true }), { maxLength: 20 }), (list, times) => {
        const map = mapOf(placeSegments(list))
        const utc = times.toSorted((a, b) => a - b).map((time) => map.toUtc(time))
        expect(utc).toEqual(utc.toSorted((a, b) => a - b))
      }),
    )
  })
})
