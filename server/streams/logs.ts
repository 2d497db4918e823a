import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import type { LogLine } from '../../src/api/contract/stream.ts'
import { query, ignoreDiskError } from '../store/database.ts'

const LineRow = z.object({ id: z.number(), time: z.number(), level: z.string(), message: z.string() })

const keptLines = 500
const answeredLines = 500

export type StreamLogs = {
  /** A line is lost if the disk is full. */
  write: (uid: string, level: 'info' | 'warn' | 'error', message: string) => void
  read: (uid: string, after: string | undefined) => LogLine[]
}

export const createStreamLogs = (db: DatabaseSync, now: () => number): StreamLogs => {
  const insert = db.prepare(
    'INSERT INTO stream_logs (uid, time, level, message) SELECT uid, ?, ?, ? FROM streams WHERE uid = ?',
  )
  const trim = db.prepare(
    `DELETE FROM stream_logs WHERE uid = ?1 AND id <= (
       SELECT id FROM stream_logs WHERE uid = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${keptLines})`,
  )
  const lines = query(
    db,
    LineRow,
    `SELECT * FROM (SELECT id, time, level, message FROM stream_logs WHERE uid = ? AND id > ? ORDER BY id DESC
       LIMIT ${answeredLines}) ORDER BY id`,
  )
  return {
    write: (uid, level, message) => {
      ignoreDiskError(() => {
        insert.run(now(), level, message, uid)
        trim.run(uid)
      })
    },
    read: (uid, after) => {
      const from = /^\d{1,15}$/.test(after ?? '') ? Number(after) : 0
      return lines.all(uid, from).map((row) => ({ ...row, id: String(row.id) }))
    },
  }
}
