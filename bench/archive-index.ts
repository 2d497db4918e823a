import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { createAnnotationStore } from '../server/archive/annotations.ts'
import { deletePurged } from '../server/archive/purging.ts'
import { createSegmentIndex, pageOfSegments } from '../server/archive/segment-index.ts'
import { archiveSteps } from '../server/archive/tables.ts'
import { migrate } from '../server/store/database.ts'
import { openDatabase } from '../server/store/sqlite.ts'
import { streamsSteps } from '../server/streams/tables.ts'
import { usersSteps } from '../server/users/tables.ts'

/**
 * How long a question to a long archive takes, and for how long at a time it holds the event loop:
 * `node bench/archive-index.ts [segments]`, a million of one stream by default.
 */
const rows = Number(process.argv[2] ?? 1_000_000)
const t0 = Date.parse('2026-08-01T00:00:00.000Z')
const end = t0 + rows * 1000
const far = Date.parse('9998-01-01T00:00:00.000Z')
const hourMs = 3_600_000

const fill = (db: DatabaseSync): void => {
  const count = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1})`
  db.exec(`
    INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES ('door', 0, 0, 2);
    INSERT INTO runs (recording, init, codecs, width, height, has_sound, first)
      VALUES (1, x'00', 'avc1', 1, 1, 0, ${t0});
    INSERT INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
      ${count} SELECT 1, ${t0} + i * 1000, ${t0} + i * 1000 + 1000, 1.0, i, 1, 0, 250000,
        strftime('%Y%m%d%H', ${t0 / 1000} + i, 'unixepoch') || '/' || (${t0} + i * 1000) || '.m4s', 0 FROM n;
    INSERT INTO annotations (uid, type, time, time_end)
      ${count} SELECT 'door', 'event', ${t0} + i * 1000, ${t0} + i * 1000 + 500 FROM n WHERE i % 20 = 0;
    UPDATE recordings SET bytes = 0, counted = -1`)
}

/** Works, and answers how long that took and the longest that nothing else had its turn. */
const measure = async (work: () => unknown): Promise<{ took: number; held: number }> => {
  let [held, isOver] = [0, false]
  const startedAt = performance.now()
  let before = startedAt
  const tick = (): void => {
    held = Math.max(held, performance.now() - before)
    before = performance.now()
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  const took = performance.now() - startedAt
  await new Promise((resolve) => setImmediate(resolve))
  isOver = true
  return { took, held }
}

const folder = mkdtempSync(join(tmpdir(), 'sightline-index-'))
const db = openDatabase(join(folder, 'sightline.db'))
migrate(db, 'users', usersSteps)
migrate(db, 'streams', streamsSteps)
migrate(db, 'archive', archiveSteps)
fill(db)
const index = createSegmentIndex(db)
const annotations = createAnnotationStore(db)

const drain = async (pages: AsyncIterable<unknown>): Promise<void> => {
  for await (const page of pages) if (page === undefined) return
}
const removeOldest = async (): Promise<void> => {
  const oldest = index.oldest(1, end, 500)
  index.remove(
    1,
    oldest.map(({ start }) => start),
  )
}
const actions: [string, () => unknown][] = [
  ['expired segments, each minute', () => index.expired(end, 500)],
  ['500 of the oldest removed', removeOldest],
  ['ranges of 3 hours', () => index.fragments('door', end - 3 * hourMs, end)],
  ['ranges of all', () => index.fragments('door', t0, end)],
  ['ranges of the year 9998', () => index.fragments('door', far, far + 3 * hourMs)],
  ['a start behind the end', () => index.within('door', end + 5000, end + 9000, 100)],
  ['playlist rows of all', () => drain(index.listedWithin('door', t0, end))],
  [`${pageOfSegments} segments`, () => index.within('door', t0, end, pageOfSegments)],
  ['annotations of a day', () => drain(annotations.within('door', end - 24 * hourMs, end))],
  ['annotations of all', () => drain(annotations.within('door', t0, end))],
  ['annotations of the year 9998', () => drain(annotations.within('door', far, far + 1))],
  ['what is held counted once, a step', () => index.countSome(5000)],
  [
    'all removed',
    async () => {
      index.markPurged('door')
      await deletePurged(index, folder, new AbortController().signal)
    },
  ],
]
process.stdout.write(`${rows} segments of one stream; milliseconds, and the longest hold of the event loop\n`)
for (const [name, work] of actions) {
  const { took, held } = await measure(work)
  process.stdout.write(`${name.padEnd(36)}${took.toFixed(1).padStart(10)}${held.toFixed(1).padStart(10)}\n`)
}
db.close()
rmSync(folder, { recursive: true, force: true })
