import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { inTransaction, query } from '../store/database.ts'
import { bit } from '../store/store.ts'

export type Numbers = { recording: number; nextSequence: number; nextDiscontinuity: number; targetDuration: number }

const NumbersRow = z.object({
  recording: z.number(),
  nextSequence: z.number(),
  nextDiscontinuity: z.number(),
  targetDuration: z.number(),
})

const TotalRow = z.object({
  recording: z.number(),
  uid: z.string(),
  bytes: z.number(),
  owner: z.nullable(z.string()),
  isOfAdministrator: bit,
})
export type Total = z.output<typeof TotalRow>

const LeftRow = z.object({ uid: z.string(), name: z.string(), bytes: z.number(), depthHours: z.number() })
const CountRow = z.object({
  count: z.number(),
  bytes: z.number(),
  last: z.nullable(z.number()),
  longest: z.nullable(z.number()),
})

const everyRow = Number.MAX_SAFE_INTEGER

export const createRecordings = (db: DatabaseSync) => {
  const numbersOf = query(
    db,
    NumbersRow,
    `SELECT id AS recording, next_sequence AS nextSequence, next_discontinuity AS nextDiscontinuity,
       target_duration AS targetDuration FROM recordings WHERE uid = ? AND purged = 0`,
  )
  const totals = query(
    db,
    TotalRow,
    `SELECT recordings.id AS recording, recordings.uid, bytes, coalesce(streams.owner, recordings.owner) AS owner,
       EXISTS (SELECT 1 FROM users WHERE login = coalesce(streams.owner, recordings.owner) AND is_admin)
         AS isOfAdministrator
     FROM recordings LEFT JOIN streams ON streams.uid = recordings.uid WHERE purged = 0`,
  )
  const left = query(
    db,
    LeftRow,
    `SELECT uid, name, bytes, depth_hours AS depthHours FROM recordings
     WHERE purged = 0 AND NOT EXISTS (SELECT 1 FROM streams WHERE streams.uid = recordings.uid) ORDER BY name, uid`,
  )
  const leftOne = query(
    db,
    LeftRow,
    `SELECT uid, name, bytes, depth_hours AS depthHours FROM recordings
     WHERE uid = ? AND purged = 0 AND NOT EXISTS (SELECT 1 FROM streams WHERE streams.uid = recordings.uid)`,
  )
  const uids = query(db, z.object({ uid: z.string() }), 'SELECT uid FROM recordings WHERE purged = 0')
  const purged = query(
    db,
    z.object({ recording: z.number(), uid: z.string() }),
    'SELECT id AS recording, uid FROM recordings WHERE purged = 1',
  )
  const uncounted = query(
    db,
    z.object({ recording: z.number(), counted: z.number() }),
    `SELECT id AS recording, counted FROM recordings WHERE counted < ${everyRow}`,
  )
  const count = query(
    db,
    CountRow,
    `SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes, max(start) AS last, max(finish - start) AS longest
     FROM (SELECT start, finish, bytes FROM segments WHERE recording = ? AND start >= ? ORDER BY start LIMIT ?)`,
  )
  const bytes = query(db, z.object({ bytes: z.number() }), 'SELECT bytes FROM recordings WHERE id = ?')
  const settled = query(db, z.object({ settled: z.number() }), 'SELECT settled FROM recordings WHERE uid = ?')

  return {
    open: (uid: string): Numbers => {
      db.prepare(
        `INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES (?, 0, 0, 2)
         ON CONFLICT DO NOTHING`,
      ).run(uid)
      const numbers = numbersOf.get(uid)
      if (numbers === undefined) throw new Error('The recording was not made')
      return numbers
    },
    numbers: (uid: string): Numbers | undefined => numbersOf.get(uid),
    raise: ({ recording, nextSequence, nextDiscontinuity, targetDuration }: Numbers): void => {
      db.prepare(
        `UPDATE recordings SET next_sequence = max(next_sequence, ?), next_discontinuity = max(next_discontinuity, ?),
           target_duration = max(target_duration, ?) WHERE id = ?`,
      ).run(nextSequence, nextDiscontinuity, targetDuration, recording)
    },
    uids: (): string[] => uids.all().map(({ uid }) => uid),
    totals: (): Total[] => totals.all(),
    bytesOf: (recording: number): number => bytes.get(recording)?.bytes ?? 0,
    /** Recordings of removed streams. `depthHours`: -1 without a limit. */
    left: () => left.all(),
    leftOf: (uid: string) => leftOne.get(uid),
    leave: (uid: string, stream: { name: string; owner: string | null; depthHours: number }): void => {
      const { name, owner, depthHours } = stream
      const keep = db.prepare('UPDATE recordings SET name = ?, owner = ?, depth_hours = ? WHERE uid = ?')
      keep.run(name, owner, depthHours, uid)
    },
    settledUntil: (uid: string): number => settled.get(uid)?.settled ?? 0,
    settle: (before: number): void => {
      db.prepare('UPDATE recordings SET settled = ?1 WHERE settled < ?1 - 3600000').run(before)
    },
    countSome: (limit: number): boolean => {
      const [next] = uncounted.all()
      if (next === undefined) return false
      inTransaction(db, () => {
        const found = count.get(next.recording, next.counted, limit)
        const isLast = found === undefined || found.last === null || found.count < limit
        db.prepare('UPDATE recordings SET bytes = bytes + ?, longest = max(longest, ?), counted = ? WHERE id = ?').run(
          found?.bytes ?? 0,
          found?.longest ?? 0,
          isLast ? everyRow : (found.last ?? 0) + 1,
          next.recording,
        )
      })
      return true
    },
    /** Hides the recording at once; `purgeSome` deletes its rows. */
    markPurged: (uid: string): void => {
      db.prepare('UPDATE recordings SET purged = 1 WHERE uid = ?').run(uid)
    },
    purged: () => purged.all(),
    /** Deletes some rows of a purged recording, its own row last; false when none are left. */
    purgeSome: ({ recording, uid }: { recording: number; uid: string }, limit: number): boolean =>
      inTransaction(db, () => {
        const remove = (sql: string, ...values: (string | number)[]): boolean =>
          db.prepare(sql).run(...values).changes > 0
        const firstSegments = `DELETE FROM segments WHERE recording = ?1 AND start <= coalesce(
          (SELECT start FROM segments WHERE recording = ?1 ORDER BY start LIMIT 1 OFFSET ?2), ${everyRow})`
        const someOf = (table: string, column: string): string =>
          `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${column} = ? LIMIT ?)`
        return (
          remove(firstSegments, recording, limit) ||
          remove(someOf('annotations', 'uid'), uid, limit) ||
          remove(someOf('runs', 'recording'), recording, limit) ||
          remove('DELETE FROM recordings WHERE id = ?', recording)
        )
      }),
  }
}
