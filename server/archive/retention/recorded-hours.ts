import * as z from 'zod/mini'
import { dayMs, hourMs, minuteMs } from '../../durations.ts'
import { query, type Store } from '../../store/store.ts'

/** Bytes recorded by each stream in each hour (UTC), kept for a little more than a day. */
export const retentionSteps: readonly string[] = [
  `CREATE TABLE recorded_hours (
    uid TEXT NOT NULL, hour INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (uid, hour)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX recorded_hours_hour ON recorded_hours (hour);`,
]

const SumRow = z.object({ uid: z.string(), bytes: z.number() })
const FirstRow = z.object({ first: z.nullable(z.number()) })

export type RecordedHours = {
  /** Counts bytes of a stream in the current hour. */
  add: (uid: string, bytes: number) => void
  /** Stores the counts and deletes those older than a day. */
  save: () => Promise<void>
  /** Bytes of each stream over the last day, or since the first count; `ms` is the length of that period. */
  lastDay: () => Promise<{ ms: number; bytes: ReadonlyMap<string, number> }>
}

export const createRecordedHours = (store: Store, now: () => number): RecordedHours => {
  const sums = query(store, SumRow, 'SELECT uid, sum(bytes) AS bytes FROM recorded_hours WHERE hour >= ? GROUP BY uid')
  const oldest = query(store, FirstRow, 'SELECT min(hour) AS first FROM recorded_hours WHERE hour >= ?')
  const startedAt = now()
  let unsaved = new Map<string, { uid: string; hour: number; bytes: number }>()

  const add = (uid: string, bytes: number): void => {
    const hour = Math.floor(now() / hourMs) * hourMs
    const key = `${hour} ${uid}`
    unsaved.set(key, { uid, hour, bytes: (unsaved.get(key)?.bytes ?? 0) + bytes })
  }

  return {
    add,
    save: async () => {
      const saved = unsaved
      unsaved = new Map()
      try {
        await store.transaction(async () => {
          for (const { uid, hour, bytes } of saved.values()) {
            await store.run(
              `INSERT INTO recorded_hours (uid, hour, bytes) VALUES (?, ?, ?)
               ON CONFLICT (uid, hour) DO UPDATE SET bytes = recorded_hours.bytes + excluded.bytes`,
              uid,
              hour,
              bytes,
            )
          }
          await store.run('DELETE FROM recorded_hours WHERE hour < ?', now() - dayMs - hourMs)
        })
      } catch (error) {
        for (const [key, each] of saved)
          unsaved.set(key, { ...each, bytes: each.bytes + (unsaved.get(key)?.bytes ?? 0) })
        throw error
      }
    },
    lastDay: async () => {
      const from = now() - dayMs
      const first = (await oldest.get(from))?.first ?? startedAt
      const bytes = new Map((await sums.all(from)).map((row) => [row.uid, row.bytes]))
      for (const each of unsaved.values()) {
        if (each.hour >= from) bytes.set(each.uid, (bytes.get(each.uid) ?? 0) + each.bytes)
      }
      // The hour in which the day begins isn't among the sums.
      const firstWhole = Math.ceil(from / hourMs) * hourMs
      return { ms: Math.max(minuteMs, now() - Math.max(firstWhole, Math.min(first, startedAt))), bytes }
    },
  }
}
