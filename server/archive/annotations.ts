import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import type { Annotation } from '../../src/api/contract/archive.ts'
import { query } from '../store/database.ts'

const AnnotationRow = z.object({ type: z.string(), time: z.number(), timeEnd: z.nullable(z.number()) })

const mostAnswered = 20_000

/** What is noted along a stream's time: `event` for a change in the picture, `status` for a stretch in which it was down. */
export type AnnotationStore = {
  note: (uid: string, type: 'event' | 'status', time: number, timeEnd: number) => void
  /**
   * Moves the end of the event that ended last, where it ended at `after` or later and began before `timeEnd`; false
   * where there is none.
   */
  extendEvent: (uid: string, after: number, timeEnd: number) => boolean
  openStatus: (uid: string, time: number) => void
  closeStatus: (uid: string, timeEnd: number) => void
  /** Those that overlap a stretch, oldest first. */
  within: (uid: string, from: number, to: number) => Annotation[]
  /** Forgets the events that began in a stretch. */
  forgetEvents: (uid: string, from: number, to: number) => void
  /** Forgets what ended before a moment. */
  forget: (uid: string, before: number) => void
}

export const createAnnotationStore = (db: DatabaseSync): AnnotationStore => {
  const insert = db.prepare('INSERT INTO annotations (uid, type, time, time_end) VALUES (?, ?, ?, ?)')
  const extend = db.prepare(
    `UPDATE annotations SET time_end = ?3 WHERE id = (
       SELECT id FROM annotations WHERE uid = ?1 AND type = 'event' AND time_end >= ?2 AND time <= ?3
       ORDER BY time DESC LIMIT 1)`,
  )
  const close = db.prepare(
    "UPDATE annotations SET time_end = ? WHERE uid = ? AND type = 'status' AND time_end IS NULL",
  )
  const within = query(
    db,
    AnnotationRow,
    `SELECT type, time, time_end AS timeEnd FROM annotations
     WHERE uid = ?1 AND time < ?3 AND coalesce(time_end, time) >= ?2 OR uid = ?1 AND time < ?3 AND time_end IS NULL AND type = 'status'
     ORDER BY time LIMIT ${mostAnswered}`,
  )
  const forget = db.prepare('DELETE FROM annotations WHERE uid = ? AND time_end < ?')
  const forgetEvents = db.prepare("DELETE FROM annotations WHERE uid = ? AND type = 'event' AND time >= ? AND time < ?")
  return {
    forgetEvents: (uid, from, to) => {
      forgetEvents.run(uid, from, to)
    },
    note: (uid, type, time, timeEnd) => {
      insert.run(uid, type, time, timeEnd)
    },
    extendEvent: (uid, after, timeEnd) => extend.run(uid, after, timeEnd).changes > 0,
    openStatus: (uid, time) => {
      close.run(time, uid)
      insert.run(uid, 'status', time, null)
    },
    closeStatus: (uid, timeEnd) => {
      close.run(timeEnd, uid)
    },
    within: (uid, from, to) =>
      within.all(uid, from, to).map(({ type, time, timeEnd }) => (timeEnd === null ? { type, time } : { type, time, timeEnd })),
    forget: (uid, before) => {
      forget.run(uid, before)
    },
  }
}
