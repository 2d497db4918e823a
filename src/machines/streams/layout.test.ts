import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { streamOf } from '../../../tests/fixtures/replies.ts'
import { type Section, groupByTag, sectionsOf } from './grouping.ts'
import { entryBeside, geometryOf, layoutOf } from './layout.ts'
import type { Listing } from './listing.ts'

const listingOf = (total: number): Listing => ({ total, pageSize: 50, pages: {} })

describe('geometry', () => {
  test.each([
    ['grid', 1300, 'cards', 5],
    ['grid', 390, 'cards', 1],
    ['grid', 0, 'cards', 1],
    ['table', 1300, 'table', 1],
    ['table', 390, 'compact', 1],
  ] as const)('%s at %i px: %s in %i columns', (mode, width, kind, columns) => {
    expect(geometryOf(mode, width)).toMatchObject({ kind, columns })
  })
})

describe('rows', () => {
  const table = { kind: 'table', columns: 1, itemHeight: 40, headHeight: 40, inset: 0 } as const
  const cards = { kind: 'cards', columns: 4, itemHeight: 200, headHeight: 44, inset: 16 } as const

  test('of ten thousand streams are those in sight', () => {
    const layout = layoutOf(listingOf(10_000), sectionsOf(listingOf(10_000), 'none'), table)
    expect(layout.height).toBe(400_000)
    expect(layout.rowsWithin(200_010, 200_100).map(({ first, top }) => [first, top])).toEqual([
      [5000, 200_000],
      [5001, 200_040],
      [5002, 200_080],
    ])
  })

  test('end with the list, and the last may be short', () => {
    const layout = layoutOf(listingOf(10), sectionsOf(listingOf(10), 'none'), cards)
    expect(layout.rowsWithin(-500, 5000).map(({ first, count }) => [first, count])).toEqual([
      [0, 4],
      [4, 4],
      [8, 2],
    ])
  })

  test('of a section follow its head, and have its streams', () => {
    const streams = [
      streamOf({ uid: 'a', tags: ['gate', 'roof'] }),
      streamOf({ uid: 'b', tags: ['gate'] }),
      streamOf({ uid: 'c' }),
    ]
    const layout = layoutOf({ total: 3, pageSize: 3, pages: { 1: streams } }, groupByTag(streams), table)
    expect(
      layout
        .rowsWithin(0, 1000)
        .map(({ kind, first, top }) => [
          kind,
          top,
          kind === 'head' ? '' : (layout.entryAt(first)?.stream?.uid ?? 'none'),
        ]),
    ).toEqual([
      ['head', 0, ''],
      ['items', 40, 'a'],
      ['items', 80, 'b'],
      ['head', 120, ''],
      ['items', 160, 'a'],
      ['head', 200, ''],
      ['items', 240, 'c'],
    ])
  })

  test('cover the list without a gap or an overlap, from any position', () => {
    const section = fc.record({ isHeaded: fc.boolean(), count: fc.integer({ min: 1, max: 40 }) })
    fc.assert(
      fc.property(
        fc.array(section, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(4000),
        fc.nat(900),
        (shape, columns, from, height) => {
          const sections = shape.map(({ isHeaded, count }, index): Section => ({
            kind: isHeaded ? 'tag' : 'rest',
            tag: `${index}`,
            count,
            streams: [],
          }))
          const layout = layoutOf(listingOf(0), sections, { ...cards, columns })
          const all = layout.rowsWithin(0, layout.height)
          const end = all.reduce<number>((top, row) => {
            expect(row.top).toBe(top)
            return row.top + row.height
          }, cards.inset)
          expect(end).toBe(layout.height)
          expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(layout.entryCount)
          expect(layout.rowsWithin(from, from + height)).toEqual(
            all.filter((row) => row.top + row.height > from && row.top < from + height),
          )
        },
      ),
    )
  })
})

describe('the arrow keys', () => {
  const sections: Section[] = [
    { kind: 'tag', tag: 'a', count: 5, streams: [] },
    { kind: 'tag', tag: 'b', count: 2, streams: [] },
  ]
  const layout = layoutOf(listingOf(0), sections, {
    kind: 'cards',
    columns: 3,
    itemHeight: 100,
    headHeight: 44,
    inset: 16,
  })

  test.each([
    [0, 'left', 0],
    [0, 'right', 1],
    [6, 'right', 6],
    [1, 'down', 4],
    [2, 'down', 4],
    [4, 'down', 6],
    [3, 'down', 5],
    [6, 'down', 6],
    [6, 'up', 4],
    [5, 'up', 3],
    [1, 'up', 1],
  ] as const)('from %i %s to %i', (from, step, to) => {
    expect(entryBeside(layout, from, step)).toBe(to)
  })
})
