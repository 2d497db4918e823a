import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { createAnnotationStore } from '../server/archive/events/annotations.ts'
import { packTable } from '../server/archive/format/chunk-table.ts'
import { deletePurged } from '../server/archive/index/purging.ts'
import { createSegmentIndex } from '../server/archive/index/segment-index.ts'
import { archiveSteps } from '../server/archive/repair/tables.ts'
import { openDatabase } from '../server/store/sqlite.ts'
import { oneVolume } from '../tests/server/fixtures/one-volume.ts'
import { openStore } from '../server/store/store.ts'
import { streamsSteps } from '../server/streams/tables.ts'
import { usersSteps } from '../server/users/tables.ts'
import { repeatableRandom } from './harness.ts'

/**
 * How long queries of a long archive take, and how long they block the event loop: `node bench/archive-index.ts
 * [cameras] [days]`, by default 64 cameras with segments of two seconds for a month.
 */
const cameras = Number(process.argv[2] ?? 64)
const days = Number(process.argv[3] ?? 30)
const hourMs = 3_600_000
const segmentMs = 2000
const t0 = Date.parse('2026-08-01T00:00:00.000Z')
const end = t0 + days * 24 * hourMs
const far = Date.parse('9998-01-01T00:00:00.000Z')

/** All cameras hour by hour, as they are recorded; durations and times vary as those of real cameras. */
const fill = (db: DatabaseSync): void => {
  const random = repeatableRandom(1)
  const open = db.prepare(
    'INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES (?, 0, 0, 2)',
  )
  const addRun = db.prepare(
    `INSERT INTO runs (recording, key, init, codecs, width, height, has_sound, first)
     VALUES (?, 'a', x'00', 'avc1', 1, 1, 0, ?)`,
  )
  const insert = db.prepare(
    'INSERT INTO chunks (recording, start, finish, run, bytes, segments) VALUES (?, ?, ?, ?, 15000000, ?)',
  )
  const made = Array.from({ length: cameras }, (_, camera) => {
    const recording = Number(open.run(`cam-${camera}`).lastInsertRowid)
    return { recording, run: Number(addRun.run(recording, t0).lastInsertRowid) }
  })
  const tables = Array.from({ length: 50 }, () => {
    let [start, media, offset] = [0, 0, 1000]
    const segments = Array.from({ length: 30 }, () => {
      const ticks = 180_000 + Math.floor(random() * 60) - 30
      const bytes = 350_000 + Math.floor(random() * 300_000)
      const segment = {
        start,
        finish: Math.round(start + ticks / 90),
        duration: ticks / 90_000,
        mediaStart: media / 90_000,
        offset,
        bytes,
      }
      start = segment.finish + Math.floor(random() * 3) - 1
      media += ticks
      offset += bytes
      return segment
    })
    return packTable(segments, 90_000)
  })
  db.exec('BEGIN')
  for (let minute = 0; minute < days * 24 * 60; minute += 1) {
    const start = t0 + minute * 30 * segmentMs
    for (const { recording, run } of made)
      insert.run(recording, start, start + 60_000, run, tables[Math.floor(random() * tables.length)] ?? null)
  }
  db.exec('COMMIT')
  db.exec('UPDATE recordings SET bytes = 1e12')
  const count = 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)'
  db.exec(`INSERT INTO annotations (uid, type, time, time_end)
    ${count} SELECT 'cam-0', 'event', ${t0} + i * 20000, ${t0} + i * 20000 + 500 FROM n`)
}

/** Measures the duration of `work`, and the longest time that it blocked the event loop. */
const measure = async (work: () => unknown): Promise<{ tookMs: number; blockedMs: number }> => {
  let [blockedMs, isOver] = [0, false]
  const startedAt = performance.now()
  let before = startedAt
  const tick = (): void => {
    blockedMs = Math.max(blockedMs, performance.now() - before)
    before = performance.now()
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  const tookMs = performance.now() - startedAt
  await new Promise((resolve) => setImmediate(resolve))
  isOver = true
  return { tookMs, blockedMs }
}

const folder = mkdtempSync(join(tmpdir(), 'sightline-index-'))
const file = join(folder, 'sightline.db')
const schema = new Map([
  ['users', usersSteps],
  ['streams', streamsSteps],
  ['archive', archiveSteps],
])
const store = await openStore(file, undefined, schema)
const db = openDatabase(file)
fill(db)
const bytes = Number(db.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE '%chunks%'").get()?.['bytes'])
db.close()
const index = createSegmentIndex(store)
await index.old.refresh()
const annotations = createAnnotationStore(store)

const drain = async (pages: AsyncIterable<unknown>): Promise<void> => {
  for await (const page of pages) if (page === undefined) return
}
const uid = 'cam-0'
const removeOldest = async () => index.remove(1, await index.oldest(1, end, 50))
const actions: [string, () => unknown][] = [
  ['a reader opened', () => index.uids()],
  ['50 of the oldest chunks removed', removeOldest],
  ['ranges of 3 hours', () => index.recordedRanges(uid, end - 3 * hourMs, end)],
  ['ranges of all', () => index.recordedRanges(uid, t0, end)],
  ['ranges of the year 9998', () => index.recordedRanges(uid, far, far + 3 * hourMs)],
  ['a start behind the end', () => index.within(uid, end + 5000, end + 9000, 100)],
  ['the segment of a moment', () => index.at(uid, t0 + days * 12 * hourMs)],
  ['kinds of runs in a day', () => index.runOfEachKind(uid, end - 24 * hourMs, end)],
  ['the period', () => index.period(uid)],
  ['playlist rows of an hour', () => drain(index.hoursWithin(uid, end - hourMs, end))],
  ['playlist rows of a week', () => drain(index.hoursWithin(uid, end - 7 * 24 * hourMs, end))],
  ['annotations of a day', () => drain(annotations.within(uid, end - 24 * hourMs, end))],
  ['annotations of all', () => drain(annotations.within(uid, t0, end))],
  [
    'one camera removed',
    async () => {
      await index.markPurged(uid)
      await deletePurged(index, oneVolume(folder), new AbortController().signal)
    },
  ],
]
process.stdout.write(
  `${cameras} cameras, ${days} days: an index of ${(bytes / 1e6).toFixed(0)} MB; milliseconds, and the longest block ` +
    `of the event loop\n`,
)
for (const [name, work] of actions) {
  const { tookMs, blockedMs } = await measure(work)
  process.stdout.write(`${name.padEnd(36)}${tookMs.toFixed(1).padStart(10)}${blockedMs.toFixed(1).padStart(10)}\n`)
}
await store.close()
rmSync(folder, { recursive: true, force: true })
