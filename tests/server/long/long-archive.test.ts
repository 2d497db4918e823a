import { expect, onTestFinished, test } from 'vitest'
import { createAnnotationStore } from '../../../server/archive/events/annotations.ts'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { deletePurged } from '../../../server/archive/index/purging.ts'
import { runOf } from '../../../server/archive/format/run.ts'
import { createSegmentIndex } from '../../../server/archive/index/segment-index.ts'
import { pageOfChunks } from '../../../server/archive/index/merged-segments.ts'
import { archiveSteps } from '../../../server/archive/repair/tables.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { drawnInit } from '../fixtures/engine.ts'
import { storeOver } from '../fixtures/memory-store.ts'
import { end, openFilled, rows, t0 } from '../fixtures/filled-archive.ts'
import { oneVolume } from '../fixtures/one-volume.ts'

const far = Date.parse('9998-01-01T00:00:00.000Z')

test('a start in a gap, beyond all that is recorded or in a segment is answered as it is', async () => {
  const { db, store } = await openFilled()
  const index = createSegmentIndex(store)
  await index.old.refresh()
  db.prepare('DELETE FROM chunks WHERE start >= ? AND start < ?').run(t0 + 120_000, t0 + 240_000)
  const starts = async (from: number, to: number) =>
    (await index.within('door', from, to, 3)).map(({ start }) => start - t0)
  expect(await starts(t0 + 119_500, t0 + 241_500)).toEqual([119_000, 240_000, 241_000])
  expect(await starts(t0 + 150_000, t0 + 242_000)).toEqual([240_000, 241_000])
  expect(await starts(far, far + 1000)).toEqual([])
  expect(await index.recordedRanges('door', far, far + 1000)).toEqual([])
  expect(await index.recordedRanges('door', t0 + 50_500, t0 + 241_500)).toEqual([
    { from: t0 + 50_500, to: t0 + 120_000 },
    { from: t0 + 240_000, to: t0 + 241_500 },
  ])
  expect(await index.nextRecorded('door', t0 + 119_001)).toBe(t0 + 119_001)
  expect(await index.nextRecorded('door', t0 + 120_000)).toBe(t0 + 240_000)
  expect((await index.at('door', t0 + 120_900))?.start).toBe(t0 + 119_000)
  expect(await index.at('door', t0 + 121_000)).toBeUndefined()
  // One longer than any before moves the bound with it.
  const long = { start: t0 - 400_000, finish: t0 - 100_000, duration: 300, mediaStart: 0, bytes: 1, offset: 0 }
  const other = runOf(2, 'b', drawnInit())
  await index.addChunk('door', 1, { ...long, volume: 0, table: packTable([long], 1000) }, other)
  expect(await starts(t0 - 100_001, t0)).toEqual([-400_000])
  expect(await index.period('door')).toEqual({ startTime: t0 - 400_000, endTime: end })
})

test('long stretches are read in pages and recordings go in batches, and between them others have their turn', async () => {
  const { db, folder, store } = await openFilled()
  const index = createSegmentIndex(store)
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const pages: number[] = []
  for await (const page of index.pagesWithin('door', t0, end)) pages.push(page.length)
  expect(pages.reduce((sum, length) => sum + length, 0)).toBe(rows)
  expect(Math.max(...pages)).toBeLessThanOrEqual(pageOfChunks * 60)
  expect(turns).toBeGreaterThanOrEqual(pages.length - 1)

  turns = 0
  let batches = 0
  await index.markPurged('door')
  expect(await index.uids()).toEqual([])
  expect(await index.within('door', t0, end, 1)).toEqual([])
  const { purgeSome } = index
  const size = db.prepare('SELECT (SELECT count(*) FROM chunks) + (SELECT count(*) FROM annotations) AS size')
  let left = Number(size.get()?.['size'])
  let most = 0
  const counted = {
    ...index,
    purgeSome: async (...args: Parameters<typeof purgeSome>) => {
      batches += 1
      const isGoingOn = await purgeSome(...args)
      if (batches % 100 > 1) return isGoingOn
      const now = Number(size.get()?.['size'])
      if (batches % 100 === 1) most = Math.max(most, left - now)
      left = now
      return isGoingOn
    },
  }
  await deletePurged(counted, oneVolume(folder), new AbortController().signal)
  isOver = true
  expect(batches).toBeGreaterThan(700)
  expect(most).toBeLessThanOrEqual(500)
  expect(turns).toBeGreaterThanOrEqual(batches - 1)
  expect(size.get()).toMatchObject({ size: 0 })
  expect(db.prepare('SELECT * FROM runs').all()).toEqual([])
  expect(await index.purged()).toEqual([])
})

test('annotations are those that overlap, however long they are', async () => {
  const { db } = await openFilled()
  const annotations = createAnnotationStore(await storeOver(db))
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
  // Page by page and in order: all that begin within, and the long one before them.
  const long = await within(t0 + 6_000_000, t0 + 9_500_000)
  const events = Array.from({ length: 3500 }, (_, position) => ['event', 6000 + position])
  expect(long).toEqual([['status', 1], ...events.slice(0, 3001), ['status', 9000], ...events.slice(3001)])
  expect(await within(t0, end)).toHaveLength(20_002)
})

test('what each recording holds is counted as it comes and goes', async () => {
  const { store } = await openFilled()
  const index = createSegmentIndex(store)
  await index.old.refresh()
  const all = rows * 250_000
  expect(await index.bytesOf(1)).toBe(all)
  const oldest = await index.oldest(1, t0 + 150_000, 10)
  expect(oldest.map(({ start, finish }) => [start - t0, finish - t0])).toEqual([
    [0, 60_000],
    [60_000, 120_000],
  ])
  await index.remove(1, oldest)
  expect(await index.bytesOf(1)).toBe(all - 30_000_000)
  // Once more: they are gone.
  await index.remove(1, oldest)
  expect(await index.bytesOf(1)).toBe(all - 30_000_000)
  const one = { start: t0, finish: t0 + 1000, duration: 1, mediaStart: 0, bytes: 7, offset: 0 }
  await index.addChunk('door', 1, { ...one, volume: 0, table: packTable([one], 1000) }, runOf(2, 'b', drawnInit()))
  expect(await index.bytesOf(1)).toBe(all - 30_000_000 + 7)
})

test('an archive of the first version is counted and read as it is', async () => {
  const db = openDatabase(':memory:')
  onTestFinished(() => db.close())
  await storeOver(db, new Map([['archive', archiveSteps.slice(0, 1)]]))
  db.exec(`
    INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES ('door', 3, 2, 2);
    INSERT INTO runs (recording, init, codecs, width, height, has_sound)
      VALUES (1, x'00', 'avc1', 1, 1, 0), (1, x'01', 'avc1', 1, 1, 0);
    INSERT INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
      VALUES (1, 1000, 3000, 2.0, 0, 1, 0, 10, 'a', 0), (1, 3000, 5000, 2.0, 2, 1, 0, 20, 'b', 0),
        (1, 5000, 7000, 2.0, 4, 1, 0, 40, 'c', 0)`)
  const store = await storeOver(db, new Map([['archive', archiveSteps]]))
  const runs = db.prepare('SELECT key, first FROM runs ORDER BY id').all()
  expect(runs.map(({ first }) => first)).toEqual([1000, null])
  expect(new Set(runs.map(({ key }) => key)).size).toBe(2)
  const index = createSegmentIndex(store)
  expect(await index.bytesOf(1)).toBe(0)
  expect(await index.countSome(2)).toBe(true)
  expect(await index.bytesOf(1)).toBe(30)
  // Behind what is counted, and before it.
  await index.old.remove(1, 1000)
  await index.old.remove(1, 5000)
  expect([await index.countSome(2), await index.countSome(2)]).toEqual([true, false])
  expect(await index.bytesOf(1)).toBe(20)
  expect(await index.open('door')).toEqual({
    recording: 1,
    longest: 120_000,
    nextSequence: 3,
    nextDiscontinuity: 2,
    targetDuration: 2,
  })
  expect((await index.within('door', 3500, 4000, 10)).map(({ file }) => file)).toEqual(['b'])
})
