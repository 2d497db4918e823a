import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { streamOf } from '../../../tests/fixtures/replies.ts'
import { sectionsOf } from './grouping.ts'
import { anchoredEntry, anchoredTop, topShowing, withRow } from './scroll-anchor.ts'
import { type Geometry, type Layout, layoutOf } from './layout.ts'
import type { Listing } from './listing.ts'

const table: Geometry = { kind: 'table', columns: 1, itemHeight: 40, headHeight: 40, inset: 0 }

/** The first pages of a list of streams, each given as its tags and named by its index. */
const paged = (tags: readonly (readonly string[])[], pageSize: number, pages: number): Listing => {
  const streams = tags.map((own, index) => streamOf({ uid: `${index}`, tags: [...own] }))
  const had = Array.from({ length: pages }, (_, page) => [
    page + 1,
    streams.slice(page * pageSize, (page + 1) * pageSize),
  ])
  return { total: tags.length, pageSize, pages: Object.fromEntries(had) }
}

const grouped = (listing: Listing, geometry = table): Layout => layoutOf(listing, sectionsOf(listing, 'tag'), geometry)

/** What lies at a scroll position: a head's tag, or a row's streams. */
const shownAt = (layout: Layout, top: number) => {
  const [row] = layout.rowsWithin(top, top + 1)
  if (row === undefined) return null
  const uids = Array.from({ length: row.count }, (_, column) => layout.entryAt(row.first + column)?.stream?.uid)
  return { group: `${row.section.kind} ${row.section.tag}`, uids, below: top - row.top }
}

describe('when a page arrives', () => {
  const tags = [['b'], ['b'], ['a'], ['b', 'a']]
  const [before, after] = [grouped(paged(tags, 2, 1)), grouped(paged(tags, 2, 2))]

  test('groups that grow above move the list down by as much', () => {
    expect(shownAt(before, 90)).toEqual({ group: 'tag b', uids: ['1'], below: 10 })
    expect(anchoredTop(before, after, 90, 400)).toBe(90 + 3 * 40)
    expect(shownAt(after, 210)).toEqual({ group: 'tag b', uids: ['1'], below: 10 })
    expect(anchoredEntry(before, after, 1)).toBe(3)
  })

  test('a head stays in place, and so do placeholders', () => {
    expect(anchoredTop(before, after, 30, 400)).toBe(150)
    expect(shownAt(before, 125)).toEqual({ group: 'rest ', uids: [undefined], below: 5 })
    expect(anchoredTop(before, after, 125, 400)).toBe(125)
    expect(anchoredEntry(before, after, 2)).toBe(undefined)
  })

  test('if the first row in sight was removed, the next one stays in place', () => {
    const left = grouped({
      total: 2,
      pageSize: 2,
      pages: { 1: [streamOf({ uid: '9', tags: ['a'] }), streamOf({ uid: '1', tags: ['b'] })] },
    })
    expect(anchoredTop(before, left, 50, 400)).toBe(90)
    expect(shownAt(left, 130)).toEqual(shownAt(before, 90))
  })

  test('a list without groups keeps its positions', () => {
    const [some, more] = [1, 2].map((pages) =>
      layoutOf(paged(tags, 2, pages), sectionsOf(paged(tags, 2, pages), 'none'), table),
    )
    if (some === undefined || more === undefined) throw new Error('no layouts')
    expect([anchoredTop(some, more, 50, 400), anchoredEntry(some, more, 3)]).toEqual([50, 3])
  })
})

test('after any change, in one column the first loaded row in sight stays in place', () => {
  const tag = fc.constantFrom('a', 'b', 'c', 'd')
  fc.assert(
    fc.property(
      fc.array(fc.uniqueArray(tag, { maxLength: 3 }), { minLength: 2, maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(4000),
      (tags, had, at) => {
        const [before, after] = [grouped(paged(tags, 7, had)), grouped(paged(tags, 7, had + 1))]
        const top = at % Math.max(1, before.height)
        const was = shownAt(before, top)
        if (was === null || was.group === 'rest ') return
        expect(shownAt(after, anchoredTop(before, after, top, 400))).toEqual(was)
      },
    ),
  )
})

describe('the row that has the focus', () => {
  const layout = grouped(paged([['a'], ['a'], ['a'], ['a']], 4, 1))
  const row = layout.rowOf(2)
  const [head, ...rows] = layout.rowsWithin(0, layout.height)

  test.each([
    ['is in sight already', { top: 20, height: 400 }, 20],
    ['lies above', { top: 300, height: 400 }, 68],
    ['lies below', { top: 0, height: 100 }, 112],
    ['never scrolls past the top', { top: 0, height: 400 }, 0],
  ])('%s', (_where, position, top) => {
    expect(row?.top).toBe(120)
    expect(topShowing(row, position)).toBe(top)
  })

  test('without a row to show, the list stays in place', () => {
    expect(topShowing(undefined, { top: 30, height: 400 })).toBe(30)
  })

  test('is rendered once, in its position', () => {
    if (head === undefined) throw new Error('no head')
    expect(withRow(rows, head)).toEqual([head, ...rows])
    expect(withRow([head, ...rows], head)).toEqual([head, ...rows])
  })
})
