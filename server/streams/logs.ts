import * as z from 'zod/mini'
import type { LogLine } from '../../src/api/contract/stream.ts'
import type { BackgroundWrites } from '../store/background-writes.ts'
import { query, type Store } from '../store/store.ts'

const LineRow = z.object({ id: z.number(), time: z.number(), level: z.string(), message: z.string() })

const keptLines = 500
const maxReadLines = 500

export type StreamLogs = {
  /** Writes a line in the background. It is lost if nothing can be written. */
  write: (uid: string, level: 'info' | 'warn' | 'error', message: string) => void
  /** The newest lines with ids above `after`, oldest first. */
  read: (uid: string, after: string | undefined) => Promise<LogLine[]>
}

const insert = 'INSERT INTO stream_logs (uid, time, level, message) SELECT uid, ?, ?, ? FROM streams WHERE uid = ?'
const trim = `DELETE FROM stream_logs WHERE uid = ? AND id <= (
  SELECT id FROM stream_logs WHERE uid = ? ORDER BY id DESC LIMIT 1 OFFSET ${keptLines})`

export const createStreamLogs = (store: Store, backgroundWrites: BackgroundWrites, now: () => number): StreamLogs => {
  const lines = query(
    store,
    LineRow,
    `SELECT * FROM (SELECT id, time, level, message FROM stream_logs WHERE uid = ? AND id > ? ORDER BY id DESC
       LIMIT ${maxReadLines}) AS newest ORDER BY id`,
  )
  return {
    write: (uid, level, message) => {
      const time = now()
      backgroundWrites.add(async () => {
        await store.run(insert, time, level, message, uid)
        await store.run(trim, uid, uid)
      })
    },
    read: async (uid, after) => {
      const from = /^\d{1,15}$/.test(after ?? '') ? Number(after) : 0
      await backgroundWrites.written()
      return (await lines.all(uid, from)).map((row) => ({ ...row, id: String(row.id) }))
    },
  }
}
