import { describe, expect, test } from 'vitest'
import { streamOf } from '../../../tests/fixtures/replies.ts'
import type { Stream } from '../../api/contract/stream.ts'
import { countsOf, groupByTag, sectionsOf } from './grouping.ts'
import { type Listing, matchesSearch, streamAt, withPages, withStatus } from './listing.ts'
import type { StreamsQuery } from './preferences.ts'

const anything: StreamsQuery = { groupType: 'none', sortType: 'date', isOnlyAvailable: false, searchingValues: [] }

const cameras = (from: number, count: number): Stream[] =>
  Array.from({ length: count }, (_, index) => streamOf({ uid: `cam-${from + index}` }))

const answer = (page: number, items: Stream[], total: number, pageSize = 3) => ({
  page,
  answer: { items, page, pageSize, total },
})

const uids = (streams: readonly (Stream | undefined)[]) => streams.map((stream) => stream?.uid)

describe('search (docs/behaviour.md §5)', () => {
  const stream = streamOf({
    uid: 'a',
    name: 'North Gate',
    streamSource: 'rtsp://10.0.0.7/live',
    substreamSource: 'rtsp://***@10.0.0.7/second',
    tags: ['Parking', 'Перрон'],
    location: { name: 'Building B' },
  })

  test.each([
    [[], true],
    [['gate'], true],
    [['GATE', 'перр'], true],
    [['10.0.0.7', 'building b', 'park'], true],
    [['//10.0.0.7/second'], true],
    [['gate', 'south'], false],
    [['north gate parking'], false],
  ])('%j: %s', (values, found) => {
    expect(matchesSearch(stream, values)).toBe(found)
  })
})

describe('pages', () => {
  test('fill the list at their positions', () => {
    const listing = withPages(null, [answer(1, cameras(0, 3), 8), answer(3, cameras(6, 2), 8)], anything)
    expect(listing && uids([0, 2, 3, 6, 7].map((index) => streamAt(listing, index)))).toEqual([
      'cam-0',
      'cam-2',
      undefined,
      'cam-6',
      'cam-7',
    ])
  })

  test('keep unchanged streams as the same objects, and the list itself if none has changed', () => {
    const before = withPages(null, [answer(1, cameras(0, 3), 3)], anything)
    expect(withPages(before, [answer(1, cameras(0, 3), 3)], anything)).toBe(before)
    const [first, ...others] = cameras(0, 3)
    const after = withPages(
      before,
      [answer(1, [{ ...streamOf(first ?? {}), status: 'failed' }, ...others], 3)],
      anything,
    )
    expect(after?.pages[1]?.[0]?.status).toBe('failed')
    expect(after?.pages[1]?.[1]).toBe(before?.pages[1]?.[1])
  })

  test('are fetched again if the length of the list has changed', () => {
    const before = withPages(null, [answer(1, cameras(0, 3), 8), answer(2, cameras(3, 3), 8)], anything)
    expect(Object.keys(withPages(before, [answer(2, cameras(3, 3), 7)], anything)?.pages ?? {})).toEqual(['2'])
  })

  test('are corrected if a server leaves out their lengths, or sends everything at once', () => {
    expect(withPages(null, [answer(1, cameras(0, 70), 0, 50)], anything)).toMatchObject({ total: 70, pageSize: 70 })
    const short = withPages(null, [answer(1, cameras(0, 2), 5, 50)], anything)
    expect(withPages(short, [answer(2, cameras(2, 2), 5, 50)], anything)).toMatchObject({
      total: 5,
      pageSize: 2,
      pages: { 1: {}, 2: {} },
    })
  })

  test("that are the whole list are filtered here if the server hasn't", () => {
    const streams = [
      streamOf({ uid: 'a', name: 'Gate' }),
      streamOf({ uid: 'b', name: 'Gate', status: 'failed' }),
      streamOf({ uid: 'c', name: 'Roof' }),
    ]
    const listing = withPages(null, [answer(1, streams, 3, 50)], {
      ...anything,
      searchingValues: ['gate'],
      isOnlyAvailable: true,
    })
    expect({ total: listing?.total, uids: uids(listing?.pages[1] ?? []) }).toEqual({ total: 1, uids: ['a'] })
  })

  test('take the status in the response to a pause', () => {
    const listing = withPages(null, [answer(1, cameras(0, 3), 3)], anything)
    expect(listing && withStatus(listing, 'cam-1', '').pages[1]?.map(({ status }) => status)).toEqual([
      'running',
      'running',
      'running',
    ])
    expect(listing && withStatus(listing, 'cam-1', 'paused').pages[1]?.map(({ status }) => status)).toEqual([
      'running',
      'paused',
      'running',
    ])
  })
})

describe('grouping by tag (docs/behaviour.md §5)', () => {
  const streams = [
    streamOf({ uid: 'a', tags: ['roof 10', 'gate'] }),
    streamOf({ uid: 'b', tags: [] }),
    streamOf({ uid: 'c', tags: ['gate', 'gate', ''] }),
    streamOf({ uid: 'd', tags: ['Roof 2'], status: 'failed' }),
  ]

  test('has a stream in the group of each of its tags, and the untagged last', () => {
    expect(
      groupByTag(streams).map(({ kind, tag, count, streams }) => [kind, tag, count, uids(streams).join()]),
    ).toEqual([
      ['tag', 'gate', 2, 'a,c'],
      ['tag', 'Roof 2', 1, 'd'],
      ['tag', 'roof 10', 1, 'a'],
      ['untagged', '', 1, 'b'],
    ])
  })

  test("leaves space for streams that aren't loaded yet", () => {
    const listing: Listing = { total: 10, pageSize: 4, pages: { 1: streams } }
    expect(sectionsOf(listing, 'tag').at(-1)).toEqual({ kind: 'rest', tag: '', count: 6, streams: [] })
    expect(sectionsOf(listing, 'none')).toEqual([{ kind: 'all', tag: '', count: 10, streams: [] }])
  })

  test('counts tags and statuses, the most common first', () => {
    expect(countsOf({ total: 4, pageSize: 4, pages: { 1: streams } })).toEqual({
      known: 4,
      tags: [
        { tag: 'gate', count: 2 },
        { tag: 'Roof 2', count: 1 },
        { tag: 'roof 10', count: 1 },
      ],
      statuses: [
        { status: 'running', count: 3 },
        { status: 'failed', count: 1 },
      ],
    })
  })
})
