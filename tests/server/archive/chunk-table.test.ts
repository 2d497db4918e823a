import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BrokenTable, packTable, unpackTable, type TableSegment } from '../../../server/archive/format/chunk-table.ts'

const t0 = Date.parse('2026-11-21T08:00:00.000Z')

type Piece = { gap: number; ticks: number; mediaGap: number; later: number; bytes: number }

/** Segments one after the other in a file, whose times differ from the rule by the pieces. */
const segmentsOf = (pieces: readonly Piece[], timescale: number, offset: number, mediaStart: number) => {
  const segments: TableSegment[] = []
  let [finish, media, at] = [t0, mediaStart, offset]
  for (const [index, { gap, ticks, mediaGap, later, bytes }] of pieces.entries()) {
    const start = finish + (index === 0 ? 0 : gap)
    media += index === 0 ? 0 : mediaGap
    finish = Math.round(start + (ticks / timescale) * 1000) + later
    segments.push({ start, finish, duration: ticks / timescale, mediaStart: media / timescale, offset: at, bytes })
    media += ticks
    at += bytes
  }
  return segments
}

const piece = fc.record({
  gap: fc.oneof(fc.constant(0), fc.integer({ min: -3, max: 3 }), fc.integer({ min: -1e9, max: 1e9 })),
  ticks: fc.oneof(fc.constant(90_000), fc.integer({ min: 1, max: 6_000_000 })),
  mediaGap: fc.oneof(fc.constant(0), fc.integer({ min: -1e6, max: 1e12 })),
  later: fc.oneof(fc.constant(0), fc.integer({ min: -5, max: 5 })),
  bytes: fc.integer({ min: 0, max: 2 ** 25 }),
})

describe('the table of a chunk', () => {
  test('is read as it was written, to the millisecond and the tick', () => {
    const timescale = fc.constantFrom(1000, 8000, 12_800, 48_000, 90_000, 10_000_000)
    const offset = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 100 }), timescale, offset, fc.nat(), (pieces, scale, at, media) => {
        const segments = segmentsOf(pieces, scale, at, media)
        expect(unpackTable(packTable(segments, scale), segments[0]?.start ?? t0)).toEqual(segments)
      }),
    )
  })

  test('keeps durations summed from parts to the tick of its timescale', () => {
    const summed = Array.from({ length: 3 }, () => 0.1).reduce((sum, each) => sum + each, 0)
    expect(summed).not.toBe(0.3)
    const segment = { start: t0, finish: t0 + 300, duration: summed, mediaStart: 0, offset: 0, bytes: 1 }
    expect(unpackTable(packTable([segment], 90_000), t0)).toEqual([{ ...segment, duration: 0.3 }])
  })

  test('takes less than 360 bytes for a minute of a camera whose clock and length of segments waver', () => {
    const steady = { gap: 0, ticks: 90_000, mediaGap: 0, later: 0, bytes: 250_000 }
    const wavering = (index: number) => ({ ...steady, gap: (index % 5) - 2, ticks: 90_000 + (index % 7) * 13 - 40 })
    const sizes = [() => steady, wavering].map((make) => {
      const pieces = Array.from({ length: 60 }, (_, index) => make(index))
      return packTable(segmentsOf(pieces, 90_000, 900, 3_600_000), 90_000).length
    })
    expect(sizes.map((size, index) => size < (index === 0 ? 260 : 360))).toEqual([true, true])
  })

  test('is reported if it is broken, whatever its bytes are', () => {
    const whole = packTable(
      segmentsOf(
        Array.from({ length: 5 }, () => ({ gap: 1, ticks: 9, mediaGap: 1, later: 1, bytes: 99 })),
        1000,
        0,
        0,
      ),
      1000,
    )
    for (let length = 0; length < whole.length; length += 1)
      expect(() => unpackTable(whole.subarray(0, length), t0)).toThrow(BrokenTable)
    expect(() => unpackTable(Buffer.concat([whole, Buffer.alloc(1)]), t0)).toThrow(BrokenTable)
    const lengthOf = (bytes: Uint8Array): number => {
      try {
        return unpackTable(bytes, t0).length
      } catch (error) {
        if (error instanceof BrokenTable) return 0
        throw error
      }
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => lengthOf(bytes) <= bytes.length))
  })
})
