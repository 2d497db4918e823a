import type { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { archiveSteps } from '../../server/archive/tables.ts'
import { migrate } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import { streamsSteps } from '../../server/streams/tables.ts'
import { usersSteps } from '../../server/users/tables.ts'

export const t0 = Date.parse('2026-08-01T00:00:00.000Z')
export const rows = 300_000
export const end = t0 + rows * 1000

/** A stream of 300,000 segments of a second, every thousandth of them there for live only, and as many events. */
const fill = (db: DatabaseSync): void => {
  const count = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1})`
  db.exec(`
    INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES ('door', 0, 0, 2);
    INSERT INTO runs (recording, key, init, codecs, width, height, has_sound, first)
      VALUES (1, 'a', x'00', 'avc1', 1, 1, 0, ${t0});
    INSERT INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
      ${count} SELECT 1, ${t0} + i * 1000, ${t0} + i * 1000 + 1000, 1.0, i, 1, i % 1000 = 999, 250000,
        strftime('%Y%m%d%H', ${t0 / 1000} + i, 'unixepoch') || '/' || (${t0} + i * 1000) || '.m4s', 0 FROM n;
    INSERT INTO annotations (uid, type, time, time_end)
      ${count} SELECT 'door', 'event', ${t0} + i * 1000, ${t0} + i * 1000 + 500 FROM n;
    INSERT INTO annotations (uid, type, time, time_end)
      VALUES ('door', 'status', ${t0 + 1000}, ${t0 + 7_200_000}), ('door', 'status', ${t0 + 9_000_000}, NULL)`)
}

export const openFilled = () => {
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

export const drain = async (pages: AsyncIterable<unknown>): Promise<number> => {
  let count = 0
  for await (const page of pages) count += Array.isArray(page) ? page.length : 0
  return count
}
