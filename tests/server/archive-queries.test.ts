import { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAnnotationStore } from '../../server/archive/annotations.ts'
import { purgeCondemned } from '../../server/archive/purging.ts'
import { createSegmentIndex, pageOfSegments, type SegmentIndex } from '../../server/archive/segment-index.ts'
import { archiveSteps } from '../../server/archive/tables.ts'
import type { Init, Track } from '../../server/media/fragments.ts'
import { migrate, openDatabase } from '../../server/store/database.ts'
import { streamsSteps } from '../../server/streams/tables.ts'
import { usersSteps } from '../../server/users/tables.ts'
import { startVideo } from './video.ts'

const t0 = Date.parse('2026-08-01T00:00:00.000Z')
const rows = 300_000
const end = t0 + rows * 1000
const far = Date.parse('9998-01-01T00:00:00.000Z')

/** A stream of 300,000 segments of a second, every thousandth of them there for live only, and as many events. */
const fill = (db: DatabaseSync): void => {
  const count = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1})`
  db.exec(`
    INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES ('door', 0, 0, 2);
    INSERT INTO runs (recording, key, init, codecs, width, height, has_sound, first) VALUES (1, 'a', x'00', 'avc1', 1, 1, 0, ${t0});
    INSERT INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
      ${count} SELECT 1, ${t0} + i * 1000, ${t0} + i * 1000 + 1000, 1.0, i, 1, i % 1000 = 999, 250000,
        strftime('%Y%m%d%H', ${t0 / 1000} + i, 'unixepoch') || '/' || (${t0} + i * 1000) || '.m4s', 0 FROM n;
    INSERT INTO annotations (uid, type, time, time_end) ${count} SELECT 'door', 'event', ${t0} + i * 1000, ${t0} + i * 1000 + 500 FROM n;
    INSERT INTO annotations (uid, type, time, time_end) VALUES ('door', 'status', ${t0 + 1000}, ${t0 + 7_200_000}), ('door', 'status', ${t0 + 9_000_000}, NULL)`)
}

const openFilled = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-queries-'))
  const db = openDatabase(join(folder, 'x.db'))
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  migrate(db, 'users', usersSteps)
  migrate(db, 'streams', streamsSteps)
  migrate(db, 'archive', archiveSteps)
  fill(db)
  return { db, folder }
}

/** Tables that grow with what is recorded. */
const grow = '(?:segments|annotations|runs|others|stream_logs)'
/**
 * Of few rows: 64 segments, the kinds of runs that began in a stretch, recordings whose stream is gone, 500 lines, a
 * user's sessions.
 */
const sortsFew = [
  /^SELECT DISTINCT run AS id/, /^SELECT min\(id\) AS id FROM runs/, /^SELECT uid, name, bytes/, /FROM stream_logs .* LIMIT 500\)/s, /FROM sessions\b/,
]
/** What looks for rows that refer to it, of which there are none any more. */
const last = 'DELETE FROM recordings WHERE id = ?'

/**
 * What would take longer the more is recorded: no index, an index over all of a stream without an end to it, or
 * sorting.
 */
const faultsOf = (db: DatabaseSync, sql: string): string[] => {
  const places = (sql.match(/\?(?!\d)/g) ?? []).length
  const statement = db.prepare(`EXPLAIN QUERY PLAN ${sql}`)
  const plan = statement.all(...Array.from({ length: places }, () => 1)).map(({ detail }) => String(detail))
  const isLimited = /\bLIMIT\b/.test(sql)
  const isFault = (detail: string): boolean =>
    new RegExp(`^SCAN ${grow}\\b`).test(detail) ||
    detail.includes('AUTOMATIC') ||
    (!isLimited && /^SEARCH (?:segments|annotations) .*\((?:recording|uid)=\?(?: AND (?:start|time|time_end)[<>]\?)?\)$/.test(detail)) ||
    (detail.startsWith('USE TEMP B-TREE') && !sortsFew.some((one) => one.test(sql)))
  return sql === last ? [] : plan.filter(isFault).map((detail) => `${sql.replaceAll(/\s+/g, ' ')}: ${detail}`)
}

const heard = (): { statements: () => string[] } => {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  onTestFinished(() => void prepare.mockRestore())
  const isQuestion = (sql: string): boolean => /^(?:SELECT|UPDATE|DELETE)\b/.test(sql)
  return { statements: () => [...new Set(prepare.mock.calls.map(([sql]) => sql.trim()))].filter(isQuestion) }
}

const video: Track = { id: 1, kind: 'video', timescale: 1000, codec: 'avc1', width: 1, height: 1, parameterSet: undefined, pictureSet: undefined }
const init: Init = { bytes: Buffer.from('init'), tracks: [video], video }

const drain = async (pages: AsyncIterable<unknown>): Promise<number> => {
  let count = 0
  for await (const page of pages) count += Array.isArray(page) ? page.length : 0
  return count
}

/** Every question and change that the index knows: a new one must come here, and is held to the same. */
const asked: { [Name in keyof SegmentIndex]: (index: SegmentIndex, recording: number) => unknown } = {
  open: (index) => index.open('door'),
  numbers: (index) => index.numbers('door'),
  raise: (index) => index.raise(index.open('door')),
  uids: (index) => index.uids(),
  totals: (index) => index.totals(),
  bytesOf: (index, recording) => index.bytesOf(recording),
  left: (index) => index.left(),
  leftOf: (index) => index.leftOf('door'),
  leave: (index) => index.leave('door', { name: 'Door', owner: null, depthHours: 1 }),
  settledUntil: (index) => index.settledUntil('door'),
  settle: (index) => index.settle(0),
  countSome: (index) => index.countSome(10),
  condemn: (index) => index.condemn('nothing'),
  condemned: (index) => index.condemned(),
  purgeSome: (index) => index.purgeSome({ recording: -1, uid: 'nothing' }, 10),
  addRun: (index, recording) => index.addRun(recording, init),
  run: (index) => index.run('door', 1),
  runOfKey: (index) => index.runOfKey('door', 'a'),
  newestRun: (index) => index.newestRun('door'),
  kindsWithin: (index) => index.kindsWithin('door', t0, end),
  runsOf: (index) => index.runsOf('door', [{ run: 1 }]),
  runsNear: (index) => index.runsNear('door', end),
  lastRun: (index) => index.lastRun(),
  runsAfter: (index) => index.runsAfter(0, 10),
  dropEmptyRuns: (index) => index.dropEmptyRuns([1], new Set()),
  within: (index) => index.within('door', end - 5000, end, 3),
  pagesWithin: (index) => drain(index.pagesWithin('door', end - 5000, end)),
  listedWithin: (index) => drain(index.listedWithin('door', end - 5000, end)),
  at: (index) => index.at('door', end),
  startingAt: (index) => index.startingAt('door', t0),
  newest: (index) => index.newest('door'),
  nextStart: (index) => index.nextStart('door', t0),
  period: (index) => index.period('door'),
  filesIn: (index) => index.filesIn('door', '2026080100'),
  hoursOf: (index) => [...index.hoursOf('door')],
  oldest: (index, recording) => index.oldest(recording, end, 10),
  passed: (index) => index.passed(end, 10),
  neighboursIn: (index) => index.neighboursIn('door', 1, t0),
  inFlight: () => undefined,
  add: (index) => index.add(index.open('door'), { start: end, finish: end + 1000, duration: 1, mediaStart: rows, run: 1, bytes: 1, file: 'x', place: 0 }, false),
  addPast: (index, recording) => index.addPast(recording, [{ start: t0 - 1000, finish: t0, duration: 1, mediaStart: 0, run: 1, bytes: 1, file: 'y', place: 0 }]),
  fragments: (index) => index.fragments('door', t0, end),
  remove: (index, recording) => index.remove(recording, [end]),
  removeFile: (index) => index.removeFile('door', 'y'),
  isUsed: (index, recording) => index.isUsed(recording, 'y'),
}

test('no question about the archive takes longer the more is recorded', async () => {
  const { db } = openFilled()
  const { statements } = heard()
  const index = createSegmentIndex(db)
  expect(Object.keys(index).toSorted()).toEqual(Object.keys(asked).toSorted())
  for (const ask of Object.values(asked)) await ask(index, 1)
  const annotations = createAnnotationStore(db)
  annotations.note('door', 'event', end, end)
  annotations.extendEvent('door', end, end)
  annotations.openStatus('door', end)
  annotations.closeStatus('door', end)
  await drain(annotations.within('door', t0, t0 + 2_000_000))
  annotations.forgetSome('door', t0)
  annotations.forgetEvents('door', t0, t0 + 1)
  expect(statements().length).toBeGreaterThan(50)
  expect(statements().flatMap((sql) => faultsOf(db, sql))).toEqual([])
})

test('no call takes longer the more is recorded', async () => {
  const { statements } = heard()
  const { context, site, ask, admin } = await startVideo()
  const row = { tags: [], location: '', marker: '', isArchived: true, depthHours: 1, isOnDemand: false, isPaused: true, owner: null, createdAt: 0 }
  await site.add({ ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x', quotaBytes: 1 })
  await site.mended()
  const stretch = `start_time=${new Date(t0).toISOString()}&end_time=${new Date(t0 + 1000).toISOString()}`
  const archive = '/v1/stream/door/archive'
  const urls = [
    '/v1/streams', '/v1/streams?searchingValues=d', '/v1/stream/door', '/v1/stream/door/logs', `${archive}/ranges?${stretch}`, `${archive}/stats`,
    `${archive}/available-days?${stretch}`, `${archive}/index.m3u8?${stretch}`, `${archive}/recorded.m3u8?${stretch}`, `${archive}/download?${stretch}`,
    `/v1/annotations?streamId=door&from=${new Date(t0).toISOString()}&to=${new Date(end).toISOString()}`, '/v1/stream/preview?stream_id=door',
    `/v1/stream/preview?stream_id=door&time=${new Date(t0).toISOString()}`, '/v1/admin/recordings', '/v1/system/stats',
  ]
  for (const url of urls) await ask('GET', url, { cookie: admin })
  await ask('DELETE', '/v1/stream/door', { cookie: admin })
  await ask('DELETE', '/v1/admin/recordings/door', { cookie: admin })
  await site.purge(new AbortController().signal)
  expect(statements().flatMap((sql) => faultsOf(context.db, sql))).toEqual([])
})

test('a start in a gap, beyond all that is recorded or in a segment is answered as it is', async () => {
  const { db } = openFilled()
  const index = createSegmentIndex(db)
  db.prepare('DELETE FROM segments WHERE start >= ? AND start < ?').run(t0 + 100_000, t0 + 200_000)
  const starts = (from: number, to: number) => index.within('door', from, to, 3).map(({ start }) => start - t0)
  expect(starts(t0 + 99_500, t0 + 201_500)).toEqual([99_000, 200_000, 201_000])
  expect(starts(t0 + 150_000, t0 + 202_000)).toEqual([200_000, 201_000])
  expect(starts(far, far + 1000)).toEqual([])
  expect(await index.fragments('door', far, far + 1000)).toEqual([])
  expect(await index.fragments('door', t0 + 50_500, t0 + 201_500)).toEqual([{ from: t0 + 50_500, to: t0 + 100_000 }, { from: t0 + 200_000, to: t0 + 201_500 }])
  // One longer than any before moves the bound with it.
  const long = { start: t0 - 400_000, finish: t0 - 100_000, duration: 300, mediaStart: 0, run: 1, bytes: 1, file: 'x', place: 0 }
  index.addPast(1, [long])
  expect(starts(t0 - 100_001, t0)).toEqual([-400_000])
})

test('a stretch of any length is read in pages, and a recording goes in batches, between which others have their turn', async () => {
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
  index.condemn('door')
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
  await purgeCondemned(counted, folder, new AbortController().signal)
  isOver = true
  expect(batches).toBeGreaterThan(1000)
  expect(most).toBeLessThanOrEqual(500)
  expect(turns).toBeGreaterThanOrEqual(batches - 1)
  expect(size.get()).toMatchObject({ size: 0 })
  expect(db.prepare('SELECT * FROM runs').all()).toEqual([])
  expect(index.condemned()).toEqual([])
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
  expect(await within(t0 + 3_600_000, t0 + 3_601_000)).toEqual([['status', 1], ['event', 3600]])
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
