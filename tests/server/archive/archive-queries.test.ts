import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createAnnotationStore } from '../../../server/archive/events/annotations.ts'
import { searchEvents } from '../../../server/archive/events/event-search.ts'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { forgetVolume, heldOn } from '../../../server/archive/retention/forgotten-volumes.ts'
import { createLocks } from '../../../server/archive/retention/locks.ts'
import { runOf } from '../../../server/archive/format/run.ts'
import { createSegmentIndex, type SegmentIndex } from '../../../server/archive/index/segment-index.ts'
import type { Segment } from '../../../server/archive/format/segment.ts'
import { createMotionRows } from '../../../server/motion/motion-rows.ts'
import { motionSteps } from '../../../server/motion/tables.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { addStream, drain, end, openFilled, rows, t0 } from '../fixtures/filled-archive.ts'
import { connectHere } from '../fixtures/local-connection.ts'
import { init, row } from '../fixtures/paused-stream.ts'
import { observed, planOf } from '../fixtures/query-plans.ts'
import { startVideo } from '../fixtures/video.ts'
import { storeOver } from '../fixtures/memory-store.ts'

/** Tables that grow with what is recorded. */
const grow = '(?:chunks|segments|annotations|motion|runs|others|stream_logs)'
/**
 * Of few rows: 64 chunks, those of a day, the kinds of runs that began in a range, recordings whose stream is gone, 500
 * lines, a user's sessions.
 */
const sortsFew = [
  /^SELECT start \/ 3600000 AS hour/,
  /^SELECT DISTINCT run FROM/,
  /^SELECT min\(id\) AS id FROM runs/,
  /^SELECT uid, name, bytes/,
  /FROM stream_logs .* LIMIT 500\)/s,
  /FROM sessions\b/,
]
/** What looks for rows that refer to it, of which there are none any more; and what is asked once a start. */
const last: readonly string[] = ['DELETE FROM recordings WHERE id = ?', 'SELECT count(*) AS count FROM segments']

/** All of a stream, or all of it before or after a moment. */
const wide =
  /^SEARCH (?:chunks|segments|annotations) .*\((?:recording|uid)=\?(?: AND (?:start|time|time_end)[<>]\?)?\)$/

/**
 * What would take longer the more is recorded: no index, an index over all of a stream without an end to it, or
 * sorting.
 */
const faultsOf = (db: DatabaseSync, sql: string): string[] => {
  const plan = planOf(db, sql)
  const isLimited = /\bLIMIT\b/.test(sql)
  const isFault = (detail: string): boolean =>
    new RegExp(`^SCAN ${grow}\\b`).test(detail) ||
    detail.includes('AUTOMATIC') ||
    (!isLimited && wide.test(detail)) ||
    (detail.startsWith('USE TEMP B-TREE') && !sortsFew.some((one) => one.test(sql)))
  return last.includes(sql) ? [] : plan.filter(isFault).map((detail) => `${sql.replaceAll(/\s+/g, ' ')}: ${detail}`)
}

const run = runOf(2, 'b', init)
const segment: Segment = {
  start: end,
  finish: end + 1000,
  duration: 1,
  mediaStart: rows,
  run: 1,
  bytes: 1,
  volume: 0,
  file: `2026080100/${end}.m4s`,
  offset: 0,
}
const chunk = { start: end + 1000, finish: end + 2000, bytes: 1, volume: 0, table: packTable([segment], 1000) }

/** Every question and change that the index knows: a new one must come here, and is held to the same. */
const asked: { [Name in keyof SegmentIndex]: (index: SegmentIndex, recording: number) => unknown } = {
  open: (index) => index.open('door'),
  unindexedBytes: (index) => index.unindexedBytes(),
  recording: (index) => index.recording('door'),
  raiseCounters: (index, recording) =>
    index.raiseCounters(recording, { nextSequence: 1, nextDiscontinuity: 1, targetDuration: 1 }),
  raiseCountersBy: (index, recording) => index.raiseCountersBy(recording, 0),
  uids: (index) => index.uids(),
  totals: (index) => index.totals(),
  bytesOf: (index, recording) => index.bytesOf(recording),
  heldOn: async (index) => {
    await index.heldOn(0)
    await index.heldOn(1)
  },
  orphaned: (index) => index.orphaned(),
  orphanOf: (index) => index.orphanOf('door'),
  markOrphaned: (index) => index.markOrphaned('door', { name: 'Door', owner: null, depthHours: 1 }),
  consistentUntil: (index) => index.consistentUntil('door'),
  markConsistent: (index) => index.markConsistent(0),
  countSome: (index) => index.countSome(10),
  markPurged: (index) => index.markPurged('nothing'),
  purged: (index) => index.purged(),
  purgeSome: (index) => index.purgeSome({ recording: -1, uid: 'nothing', isListed: false }, 10, true),
  markListed: (index) => index.markListed(-1),
  listPurged: (index) => index.listPurged({ recording: -1, uid: 'nothing', isListed: false }, [3]),
  isFenced: () => undefined,
  takenWithin: (index) => index.takenWithin('door', end - 5000, end),
  run: (index) => index.run('door', 1),
  runOfKey: (index) => index.runOfKey('door', 'a'),
  newestRun: (index) => index.newestRun('door'),
  runOfEachKind: (index) => index.runOfEachKind('door', t0, end),
  runsWithin: (index) => index.runsWithin('door', t0, end),
  runsOf: (index) => index.runsOf('door', [{ run: 1 }]),
  runsNear: (index, recording) => index.runsNear(recording, end),
  putRun: (index, recording) => index.putRun(recording, run),
  within: (index) => index.within('door', end - 5000, end, 3),
  pagesWithin: (index) => drain(index.pagesWithin('door', end - 5000, end)),
  hoursWithin: (index) => drain(index.hoursWithin('door', end - 5000, end)),
  at: (index) => index.at('door', end),
  startingAt: (index) => index.startingAt('door', t0),
  newest: (index) => index.newest('door'),
  nextRecorded: (index) => index.nextRecorded('door', t0),
  period: (index) => index.period('door'),
  recordedRanges: (index) => index.recordedRanges('door', t0, end),
  addUnindexed: () => undefined,
  isUnindexed: () => undefined,
  dropUnindexed: () => undefined,
  forgetUnindexed: () => undefined,
  inFlight: () => undefined,
  addChunk: (index, recording) => index.addChunk('door', recording, chunk, run, []),
  chunksIn: (index, recording) => index.chunksIn(recording, t0, t0 + 3_600_000),
  isRecorded: (index) => index.isRecorded('door', end - 5000, end),
  totalsOn: (index) => index.totalsOn(1),
  hourStarts: (index, recording) => index.hourStarts(0, recording, t0, 10),
  oldest: (index, recording) => index.oldest(recording, end, 10),
  oldestOn: async (index, recording) => {
    await index.oldestOn(0, recording, 10)
    await index.oldestOn(1, recording, 10)
  },
  bytesWithin: async (index) => {
    const recording = await index.recording('door')
    if (recording !== undefined) await index.bytesWithin(recording, t0, end)
  },
  chunksOn: (index, recording) => index.chunksOn(1, recording, t0, 10),
  garbage: async ({ garbage }) => {
    await garbage.add(3, [{ uid: 'door', start: t0 }])
    await garbage.has(3, { uid: 'door', start: t0 })
    await garbage.list(3, 10)
    await garbage.drop(3, [{ uid: 'door', start: t0 }])
  },
  moveChunk: (index, recording) => index.moveChunk(recording, { uid: 'door', start: t0 }, 1),
  remove: (index, recording) => index.remove(recording, [{ recording, uid: 'door', ...segment }]),
  removeChunk: (index, recording) => index.removeChunk(recording, end + 1000),
  addOld: (index, recording) => index.addOld(recording, [{ ...segment, start: end + 5000, finish: end + 6000 }]),
  old: async ({ old }, recording) => {
    const recorded = { recording, longest: 60_000, nextSequence: 0, nextDiscontinuity: 0, targetDuration: 2 }
    await old.refresh()
    await old.count()
    await old.within(recorded, t0, end, 10)
    await old.newest(recording)
    await old.newestBefore(recording, end, 10)
    await old.oldestStart(recording)
    await old.oldest(recording, t0, end, 10)
    await old.liveOnly(10)
    await old.filesIn(recording, '2026080100')
    await old.nextFile(recording, '')
    await old.isUsed(recording, segment.file)
    await old.neighboursIn(recording, 1, t0)
    await old.remove(recording, end + 5000)
    await old.removeFile(recording, segment.file)
  },
}

test('no query of the archive takes longer the more is recorded', async () => {
  const { db, store } = await openFilled()
  const { statements } = observed()
  await storeOver(db, new Map([['motion', motionSteps]]))
  const index = createSegmentIndex(store)
  expect(Object.keys(index).toSorted()).toEqual(Object.keys(asked).toSorted())
  await index.old.refresh()
  await drain(index.hoursWithin('door', end - 5000, end))
  // With segments of an older version, so that these are asked for as well.
  await index.addOld(1, [segment])
  for (const ask of Object.values(asked)) await ask(index, 1)
  const annotations = createAnnotationStore(await storeOver(db))
  await annotations.add('door', 'event', end, end)
  await annotations.extendEvent('door', end, end)
  await annotations.openStatus('door', end)
  await annotations.closeStatus('door', end)
  await drain(annotations.within('door', t0, t0 + 2_000_000))
  await annotations.deleteSome('door', t0, async () => [])
  await annotations.deleteEvents('door', t0, t0 + 1)
  const locks = createLocks(await storeOver(db), () => end)
  const { id } = await locks.add('door', { start: t0, finish: end, reason: 'x', expires: null, login: 'ann' })
  await locks.rangesOf('door')
  await locks.remove('door', id)
  const draft = { streamId: 'door', type: 'event', time: end, label: 'car', source: 'gate' }
  const [given = 0] = await createAnnotationStore(await storeOver(db), 0).addDetected([draft])
  await annotations.streamOf(given)
  await annotations.remove(given)
  const motion = createMotionRows(await storeOver(db))
  await motion.nextUnindexed(1, t0, { recording: 2, longest: 60_000 })
  await motion.add(1, t0, new Uint8Array())
  await motion.within({ recording: 1, longest: 60_000 }, t0, end, 10)
  await motion.indexedUntil(1)
  addStream(db, 'door')
  const streams = { sql: 'TRUE', values: [] }
  const few = { type: 'event', from: end - 5000 }
  for (const more of [{}, few, { label: 'car', type: 'event' }])
    await searchEvents(await storeOver(db), { streams, uids: ['door'], from: t0, to: end, ...more }, 1)
  expect(statements().length).toBeGreaterThan(50)
  expect(statements().flatMap((sql) => faultsOf(db, sql))).toEqual([])
})

test('what is recorded next, or first on a volume, is found past none of the chunks of another volume', async () => {
  const { db } = await openFilled()
  db.exec(`INSERT INTO volumes (id, key, path, missing) VALUES (1, 'a', '/a', 1);
    UPDATE chunks SET volume = 1 WHERE start < ${end - 600_000}`)
  const { statements } = observed()
  const index = createSegmentIndex(await storeOver(db))
  await index.old.refresh()
  expect(await index.nextRecorded('door', t0)).toBe(end - 600_000)
  expect(await index.oldestOn(0, 1, 1)).toMatchObject([{ start: end - 600_000 }])
  const searches = statements().flatMap((sql) => planOf(db, sql).filter((detail) => / chunks /.test(detail)))
  expect(searches).toHaveLength(2)
  for (const each of searches)
    expect(each).toBe('SEARCH chunks USING INDEX chunks_volume (recording=? AND volume=? AND start>?)')
})

test('a volume is listed and forgotten past none of the chunks of another volume', async () => {
  const { db } = await openFilled()
  db.exec(`INSERT INTO volumes (id, key, path, missing) VALUES (1, 'a', '/a', 1);
    UPDATE chunks SET volume = 1 WHERE start >= ${end - 600_000}`)
  const { statements } = observed()
  const store = await storeOver(db)
  expect(await heldOn(store, [1])).toMatchObject([{ uid: 'door', start: end - 600_000, finish: end }])
  await forgetVolume(store, 1)
  expect(await heldOn(store, [1])).toEqual([])
  const ofVolume = statements().filter((sql) => /FROM chunks\b.*\bvolume = /s.test(sql))
  const searches = ofVolume.flatMap((sql) => planOf(db, sql).filter((detail) => / chunks /.test(detail)))
  expect(searches).toHaveLength(4)
  for (const each of searches)
    expect(each).toMatch(/^SEARCH chunks USING (?:COVERING )?INDEX chunks_volume \(recording=\? AND volume=\?/)
})

test('no call takes longer the more is recorded', async () => {
  const { statements, listen } = observed()
  const { context, site, ask, admin } = await startVideo({
    connect: connectHere,
    plugins: [(_app, { store }) => listen(store)],
  })
  const source = 'rtsp://192.0.2.1/x'
  await site.add({ ...row, uid: 'door', name: 'Door', source, depthHours: 1, quotaBytes: 1 })
  await site.untilRepaired()
  const [from, to] = [new Date(t0).toISOString(), new Date(t0 + 1000).toISOString()]
  const ofArchive = ['ranges', 'available-days', 'index.m3u8', 'recorded.m3u8', 'download']
  const urls = [
    '/v1/streams',
    '/v1/streams?searchingValues=d',
    '/v1/stream/door',
    '/v1/stream/door/logs',
    '/v1/stream/door/archive/stats',
    ...ofArchive.map((name) => `/v1/stream/door/archive/${name}?start_time=${from}&end_time=${to}`),
    `/v1/annotations?streamId=door&from=${from}&to=${to}`,
    `/v1/stream/door/archive/motion?from=${from}&to=${to}`,
    '/v1/stream/preview?stream_id=door',
    `/v1/stream/preview?stream_id=door&time=${from}`,
    '/v1/admin/recordings',
    '/v1/system/stats',
  ]
  for (const url of urls) await ask('GET', url, { cookie: admin })
  await ask('DELETE', '/v1/stream/door', { cookie: admin })
  await ask('DELETE', '/v1/admin/recordings/door', { cookie: admin })
  await site.purge(new AbortController().signal)
  const db = openDatabase(join(context.dataDir, 'sightline.db'), true)
  onTestFinished(() => db.close())
  expect(statements().length).toBeGreaterThan(20)
  expect(statements().flatMap((sql) => faultsOf(db, sql))).toEqual([])
})
