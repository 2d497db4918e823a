import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { partsOf } from './parts.ts'

const ranges = fc
  .record({
    from: fc.integer({ min: 0, max: 4e12 }),
    length: fc.integer({ min: 1, max: 4 * 86_400_000 }),
    maxSeconds: fc.integer({ min: 1, max: 604_800 }),
  })
  .filter(({ length, maxSeconds }) => length / 1000 / maxSeconds < 2000)

test('parts cover a range exactly, none is longer than allowed, none is empty, and no cut splits a second', () => {
  fc.assert(
    fc.property(ranges, ({ from, length, maxSeconds }) => {
      const to = from + length
      const parts = partsOf({ from, to }, maxSeconds)
      expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([from, to])
      expect(parts.slice(1).map((part) => part.from)).toEqual(parts.slice(0, -1).map((part) => part.to))
      expect(parts.length).toBe(Math.ceil(length / 1000 / maxSeconds))
      for (const part of parts) {
        expect(part.to - part.from).toBeGreaterThan(0)
        expect(part.to - part.from).toBeLessThanOrEqual(maxSeconds * 1000)
        expect((part.from - from) % 1000).toBe(0)
      }
    }),
  )
})

test('two and a half hours at an hour each are three parts of fifty minutes', () => {
  expect(partsOf({ from: 0, to: 9_000_000 }, 3600)).toEqual([
    { from: 0, to: 3_000_000 },
    { from: 3_000_000, to: 6_000_000 },
    { from: 6_000_000, to: 9_000_000 },
  ])
})
