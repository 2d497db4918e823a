import { expect, test } from 'vitest'
import { createAnnotationStore } from '../../../server/archive/events/annotations.ts'
import { searchEvents, type EventFilter } from '../../../server/archive/events/event-search.ts'
import { schema } from '../../../server/schema.ts'
import type { Store } from '../../../server/store/store.ts'
import { addStream, openFilled } from '../fixtures/filled-archive.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { planOf, recordQueries } from '../fixtures/query-plans.ts'

const t0 = Date.parse('2026-11-21T08:00:00.000Z')
type Made = { id: number; streamId: string; type: string; time: number; label: string }

const addStreams = async (store: Store, uids: readonly string[]): Promise<void> => {
  for (const uid of uids)
    await store.run(
      `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand,
         is_paused, created_at, needle) VALUES (?, '', '', '[]', '', '', 1, 0, 0, 0, 0, '')`,
      uid,
    )
}

/** Events of the streams in turn, three of each moment. */
const addEvents = async (store: Store, streams: readonly string[], count: number): Promise<Made[]> => {
  const events = Array.from({ length: count }, (_, index) => ({
    streamId: streams[(index * 7) % streams.length] ?? '',
    type: index % 5 === 0 ? 'line' : 'event',
    time: t0 + Math.floor(((index * 31) % count) / 3) * 1000,
    label: ['', 'car', 'person'][index % 3] ?? '',
    source: 'gate',
  }))
  const ids = await createAnnotationStore(store).addDetected(events)
  return events.map((event, index) => ({ ...event, id: ids[index] ?? 0 }))
}

/** What a search should find: a page of ids, and the number of all. */
const expected = (made: readonly Made[], seen: readonly string[], filter: Partial<EventFilter>, page: number) => {
  const { from = -Infinity, to = Infinity, label = '', type = '', uids = [] } = filter
  const found = made
    .filter(({ streamId }) => seen.includes(streamId) && (uids.length === 0 || uids.includes(streamId)))
    .filter((each) => each.time >= from && each.time < to)
    .filter((each) => (label === '' || each.label === label) && (type === '' || each.type === type))
    .toSorted((a, b) => b.time - a.time || b.id - a.id)
  return [found.length, ...found.slice(page * 50 - 50, page * 50).map(({ id }) => String(id))]
}

const filters: Partial<EventFilter>[] = [
  {},
  { uids: ['s3'] },
  { uids: ['s1', 's4', 's0'] },
  { uids: ['s2', 's3', 'hidden', 'removed'] },
  { uids: ['hidden'] },
  { label: 'car' },
  { type: 'line', uids: ['s1', 's2'] },
  { label: 'person', type: 'line' },
  { label: 'none' },
].flatMap((filter) => [filter, { ...filter, from: t0 + 20_000, to: t0 + 90_000 }])

test.each([
  ['a few streams', 5],
  ['more streams than are searched one by one', 120],
])('the events of %s are found in the same order, also those of the same moment', async (_name, count) => {
  const store = await memoryStore(schema)
  const seen = Array.from({ length: count }, (_, index) => `s${index}`)
  await addStreams(store, [...seen, 'hidden'])
  const made = await addEvents(store, [...seen, 'hidden', 'removed'], 600)
  const streams = { sql: 'streams.uid <> ?', values: ['hidden'] }
  for (const filter of filters)
    for (const page of [1, 2, 12]) {
      const { items, total, hasMore } = await searchEvents(store, { streams, uids: [], ...filter }, page)
      const found = { filter, page, hasMore, result: [total, ...items.map(({ id }) => id)] }
      expect(found).toEqual({ filter, page, hasMore: undefined, result: expected(made, seen, filter, page) })
    }
})

test('who may see no stream finds nothing', async () => {
  const store = await memoryStore(schema)
  await addStreams(store, ['door'])
  await addEvents(store, ['door'], 3)
  const found = await searchEvents(store, { streams: { sql: 'FALSE', values: [] }, uids: [] }, 1)
  expect(found).toEqual({ items: [], page: 1, pageSize: 50, total: 0 })
})

test('more events than are counted or compared are found, too', async () => {
  const store = await memoryStore(schema)
  await addStreams(store, ['door', 'gate'])
  await store.run(
    `INSERT INTO annotations (uid, type, time, time_end, label)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21000)
     SELECT CASE WHEN i % 2 = 0 THEN 'door' ELSE 'gate' END, 'event', ?1 + i, ?1 + i,
       CASE WHEN i % 1000 = 0 THEN 'car' ELSE '' END FROM n`,
    t0,
  )
  const search = async (filter: Partial<EventFilter>, page: number) => {
    const { items, total, hasMore } = await searchEvents(
      store,
      { streams: { sql: 'TRUE', values: [] }, uids: ['door', 'gate'], ...filter },
      page,
    )
    return [items.length, (items[0]?.time ?? 0) - t0, total, hasMore]
  }
  expect(await search({}, 1)).toEqual([50, 21_000, 10_050, true])
  expect(await search({}, 201)).toEqual([50, 11_000, 20_050, true])
  expect(await search({}, 300)).toEqual([50, 6050, 21_000, undefined])
  expect(await search({ uids: ['door'] }, 1)).toEqual([50, 21_000, 10_050, true])
  expect(await search({ label: 'car' }, 1)).toEqual([21, 21_000, 21, undefined])
  expect(await search({ label: 'car', uids: ['door'] }, 1)).toEqual([21, 21_000, 21, undefined])
  expect(await search({ type: 'event' }, 1)).toEqual([50, 21_000, 10_050, true])
})

test('the events of a few streams are found by the index of each stream', async () => {
  const { db, store } = await openFilled()
  for (const uid of ['door', 'quiet']) addStream(db, uid)
  db.exec(`INSERT INTO annotations (uid, type, time, time_end) VALUES ('quiet', 'line', ${t0}, ${t0})`)
  const asked = recordQueries(store)
  const search = async (sql: string, uids: readonly string[], type = '') =>
    (await searchEvents(store, { streams: { sql, values: [] }, uids, type }, 1)).items.length
  expect(await search('TRUE', ['quiet'])).toBe(1)
  expect(await search('TRUE', ['quiet'], 'line')).toBe(1)
  expect(await search('TRUE', ['quiet', 'door'])).toBe(50)
  expect(await search("uid = 'quiet'", [])).toBe(1)
  const searches = asked().flatMap((sql) => planOf(db, sql).filter((detail) => / annotations .*INDEX/.test(detail)))
  const ways = new Set(searches.map((detail) => detail.replace('COVERING ', '')))
  expect([...ways]).toEqual(['SEARCH annotations USING INDEX annotations_time (uid=? AND time>? AND time<?)'])
})
