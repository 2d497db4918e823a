import type { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { packTable } from '../../server/archive/format/chunk-table.ts'
import { archiveSteps } from '../../server/archive/repair/tables.ts'
import { connectLocal } from './local-connection.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import { openStore } from '../../server/store/store.ts'
import { streamsSteps } from '../../server/streams/tables.ts'
import { usersSteps } from '../../server/users/tables.ts'

export const t0 = Date.parse('2026-08-01T00:00:00.000Z')
export const rows = 300_000
export const end = t0 + rows * 1000

const secondsOfChunk = 60

/** A stream with 300,000 segments of a second in chunks of a minute, and as many events. */
const fill = (db: DatabaseSync): void => {
  const count = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1})`
  db.exec(`
    INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES ('door', 0, 0, 2);
    INSERT INTO runs (recording, key, init, codecs, width, height, has_sound, first)
      VALUES (1, 'a', x'00', 'avc1', 1, 1, 0, ${t0});
    INSERT INTO annotations (uid, type, time, time_end)
      ${count} SELECT 'door', 'event', ${t0} + i * 1000, ${t0} + i * 1000 + 500 FROM n;
    INSERT INTO annotations (uid, type, time, time_end)
      VALUES ('door', 'status', ${t0 + 1000}, ${t0 + 7_200_000}), ('door', 'status', ${t0 + 9_000_000}, NULL)`)
  const insert = db.prepare(
    'INSERT INTO chunks (recording, start, finish, run, bytes, segments) VALUES (1, ?, ?, 1, 15000000, ?)',
  )
  db.exec('BEGIN')
  for (let second = 0; second < rows; second += secondsOfChunk) {
    const start = t0 + second * 1000
    const segments = Array.from({ length: secondsOfChunk }, (_, index) => ({
      start: start + index * 1000,
      finish: start + (index + 1) * 1000,
      duration: 1,
      mediaStart: second + index,
      offset: index * 250_000,
      bytes: 250_000,
    }))
    insert.run(start, start + secondsOfChunk * 1000, packTable(segments, 1000))
  }
  db.exec('COMMIT')
  db.exec('UPDATE recordings SET bytes = (SELECT sum(bytes) FROM chunks)')
}

export const openFilled = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-queries-'))
  const file = join(folder, 'x.db')
  const db = openDatabase(file)
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const schema = new Map([
    ['users', usersSteps],
    ['streams', streamsSteps],
    ['archive', archiveSteps],
  ])
  const store = await openStore(file, () => connectLocal(db), schema)
  fill(db)
  return { db, folder, store }
}

export const drain = async (pages: AsyncIterable<unknown>): Promise<number> => {
  let count = 0
  for await (const page of pages) count += Array.isArray(page) ? page.length : 1
  return count
}
