import { expect, test } from 'vitest'
import { createAnnotationStore } from '../../server/archive/annotations.ts'
import { deletePurged } from '../../server/archive/purging.ts'
import { createSegmentIndex, pageOfSegments } from '../../server/archive/segment-index.ts'
import { archiveSteps } from '../../server/archive/tables.ts'
import { migrate } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import { end, openFilled, rows, t0 } from './filled-archive.ts'

const far = Date.parse('9998-01-01T00:00:00.000Z')

test('a start in a gap, beyond all that is recorded or in a segment is answered as it is', async () => {
  const { db } = openFilled()
  const index = createSegmentIndex(db)
  db.prepare('DELETE FROM segments WHERE start >= ? AND start < ?').run(t0 + 100_000, t0 + 200_000)
  const starts = (from: number, to: number) => index.within('door', from, to, 3).map(({ start }) => start - t0)
  expect(starts(t0 + 99_500, t0 + 201_500)).toEqual([99_000, 200_000, 201_000])
  expect(starts(t0 + 150_000, t0 + 202_000)).toEqual([200_000, 201_000])
  expect(starts(far, far + 1000)).toEqual([])
  expect(await index.fragments('door', far, far + 1000)).toEqual([])
  expect(await index.fragments('door', t0 + 50_500, t0 + 201_500)).toEqual([
    { from: t0 + 50_500, to: t0 + 100_000 },
    { from: t0 + 200_000, to: t0 + 201_500 },
  ])
  // One longer than any before moves the bound with it.
  const long = {
    start: t0 - 400_000,
    finish: t0 - 100_000,
    duration: 300,
    mediaStart: 0,
    run: 1,
    bytes: 1,
    file: 'x',
    offset: 0,
  }
  index.addPast(1, [long])
  expect(starts(t0 - 100_001, t0)).toEqual([-400_000])
})

test('long stretches are read in pages and recordings go in batches, and between them others have their turn', async () => {
  const { db, folder } = openFilled()
  const index = createSegmentIndex(db)
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const pages: number[] = []
  for await (const page of index.listedWithin('door', t0, end)) pages.push(page.length)
  expect(pages.reduce((sum, length) => sum + length, 0)).toBe(rows - rows / 1000)
  expect(Math.max(...pages)).toBeLessThanOrEqual(pageOfSegments)
  expect(turns).toBeGreaterThanOrEqual(pages.length - 1)

  turns = 0
  let batches = 0
  index.markPurged('door')
  expect(index.uids()).toEqual([])
  expect(index.within('door', t0, end, 1)).toEqual([])
  const { purgeSome } = index
  const size = db.prepare('SELECT (SELECT count(*) FROM segments) + (SELECT count(*) FROM annotations) AS size')
  let left = Number(size.get()?.['size'])
  let most = 0
  const counted = {
    ...index,
    purgeSome: (...args: Parameters<typeof purgeSome>) => {
      batches += 1
      const isGoingOn = purgeSome(...args)
      if (batches % 100 > 1) return isGoingOn
      const now = Number(size.get()?.['size'])
      if (batches % 100 === 1) most = Math.max(most, left - now)
      left = now
      return isGoingOn
    },
  }
  await deletePurged(counted, folder, new AbortController().signal)
  isOver = true
  expect(batches).toBeGreaterThan(1000)
  expect(most).toBeLessThanOrEqual(500)
  expect(turns).toBeGreaterThanOrEqual(batches - 1)
  expect(size.get()).toMatchObject({ size: 0 })
  expect(db.prepare('SELECT * FROM runs').all()).toEqual([])
  expect(index.purged()).toEqual([])
})

test('annotations are those that overlap, however long they are', async () => {
  const { db } = openFilled()
  const annotations = createAnnotationStore(db)
  const within = async (from: number, to: number) => {
    const found: [string, number][] = []
    for await (const page of annotations.within('door', from, to)) {
      expect(page.length).toBeLessThanOrEqual(1002)
      for (const { type, time } of page) found.push([type, (time - t0) / 1000])
    }
    return found
  }
  expect(await within(t0 + 3_600_000, t0 + 3_601_000)).toEqual([
    ['status', 1],
    ['event', 3600],
  ])
  expect(await within(end + 1000, end + 2000)).toEqual([['status', 9000]])
  expect(await within(t0 + 8_000_600, t0 + 8_001_000)).toEqual([])
  expect(await within(t0 - 1000, t0 - 500)).toEqual([])
  // Page by page, and each in its place: all that begin within, and the long one before them.
  const long = await within(t0 + 6_000_000, t0 + 9_500_000)
  const events = Array.from({ length: 3500 }, (_, place) => ['event', 6000 + place])
  expect(long).toEqual([['status', 1], ...events.slice(0, 3001), ['status', 9000], ...events.slice(3001)])
  expect(await within(t0, end)).toHaveLength(20_002)
})

test('what each recording holds is counted as it comes and goes, and once of what an older version recorded', () => {
  const { db } = openFilled()
  const index = createSegmentIndex(db)
  const all = rows * 250_000
  expect(index.bytesOf(1)).toBe(all)
  db.exec('UPDATE recordings SET bytes = 0, counted = -1, longest = 0')
  index.countSome(1000)
  expect(index.bytesOf(1)).toBe(1000 * 250_000)
  // Behind what is counted, and before it.
  index.remove(1, [t0, t0 + 5_000_000])
  while (index.countSome(50_000)) expect(index.bytesOf(1)).toBeLessThan(all)
  expect(index.bytesOf(1)).toBe(all - 500_000)
  expect(db.prepare('SELECT longest FROM recordings').get()).toMatchObject({ longest: 1000 })
  index.removeFile('door', '2026080100/1785542401000.m4s')
  expect(index.bytesOf(1)).toBe(all - 750_000)
})

test('an archive of the first version is taken over as it is', () => {
  const db = openDatabase(':memory:')
  migrate(db, 'archive', archiveSteps.slice(0, 1))
  db.exec(`
    INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES ('door', 3, 2, 2);
    INSERT INTO runs (recording, init, codecs, width, height, has_sound)
      VALUES (1, x'00', 'avc1', 1, 1, 0), (1, x'01', 'avc1', 1, 1, 0);
    INSERT INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
      VALUES (1, 1000, 3000, 2.0, 0, 1, 0, 10, 'a', 0), (1, 3000, 5000, 2.0, 2, 1, 0, 20, 'b', 0)`)
  migrate(db, 'archive', archiveSteps)
  const runs = db.prepare('SELECT key, first FROM runs ORDER BY id').all()
  expect(runs.map(({ first }) => first)).toEqual([1000, null])
  expect(new Set(runs.map(({ key }) => key)).size).toBe(2)
  const index = createSegmentIndex(db)
  expect(index.bytesOf(1)).toBe(0)
  expect([index.countSome(10), index.countSome(10)]).toEqual([true, false])
  expect(index.bytesOf(1)).toBe(30)
  expect(index.open('door')).toEqual({ recording: 1, nextSequence: 3, nextDiscontinuity: 2, targetDuration: 2 })
  expect(index.within('door', 3500, 4000, 10).map(({ file }) => file)).toEqual(['b'])
})
