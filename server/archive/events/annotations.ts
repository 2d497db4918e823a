import * as z from 'zod/mini'
import type { Annotation } from '../../../src/api/contract/archive.ts'
import { Box } from '../../../src/api/contract/box.ts'
import type { AnnotationBody } from '../../../src/api/contract/events.ts'
import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import type { Value } from '../../store/connection.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { query, type Store } from '../../store/store.ts'
import { createSnapshotStore, type EventSnapshot } from './snapshots.ts'
import { unlockedBefore } from './unlocked-before.ts'

const box = jsonColumn(Box)
export const AnnotationRow = z.object({
  id: z.number(),
  uid: z.string(),
  type: z.string(),
  time: z.number(),
  timeEnd: z.nullable(z.number()),
  label: z.string(),
  score: z.nullable(z.number()),
  box: z.nullable(box),
  source: z.string(),
})
type Row = z.output<typeof AnnotationRow>
const IdRow = z.object({ id: z.number() })
const CountRow = z.object({ count: z.number() })

/** Short annotations that one call of `within` reads. */
const maxShort = 20_000
const pageSize = 1000

export type AnnotationStore = {
  /** Adds an annotation of the server itself. Times in epoch milliseconds. */
  add: (uid: string, type: 'event' | 'status', time: number, timeEnd: number) => Promise<void>
  /**
   * Adds annotations of detectors, with the snapshots at the same index, and returns their ids. Above the limit of a
   * stream its oldest ones are deleted, a hundredth of the limit at once.
   */
  addDetected: (
    detected: readonly AnnotationBody[],
    snapshots?: readonly (EventSnapshot | undefined)[],
  ) => Promise<number[]>
  /** The snapshot of an annotation of the stream, if it has one that may be shown. */
  snapshot: (uid: string, id: number) => Promise<EventSnapshot | undefined>
  /** The uid of an annotation's stream. */
  streamOf: (id: number) => Promise<string | undefined>
  remove: (id: number) => Promise<void>
  /** Moves the end of an annotation. */
  end: (id: number, timeEnd: number) => Promise<void>
  /** Extends the server's last event to `timeEnd`, if it ended at `after` or later; false if there is none. */
  extendEvent: (uid: string, after: number, timeEnd: number) => Promise<boolean>
  /** Begins an outage; one that is still open ends at the same moment. */
  openStatus: (uid: string, time: number) => Promise<void>
  closeStatus: (uid: string, timeEnd: number) => Promise<void>
  /** Annotations that overlap a range, oldest first, in pages; about 20,000 at most. */
  within: (uid: string, from: number, to: number) => AsyncGenerator<Annotation[]>
  /** Deletes the server's events that begin in a range. */
  deleteEvents: (uid: string, from: number, to: number) => Promise<void>
  /**
   * Deletes some annotations that ended before a moment and overlap no lock; false if there are none. `locksOf`: the
   * locked ranges, by their start, asked in the transaction that deletes.
   */
  deleteSome: (uid: string, before: number, locksOf: () => Promise<readonly TimeRange[]>) => Promise<boolean>
}

/** Longer annotations have a database index of their own (tables.ts, which repeats the value). */
const longMs = 600_000
const deletedAtOnce = 1000

export const annotationColumns = 'id, uid, type, time, time_end AS timeEnd, label, score, box, source'
const earliestFirst = (a: Row, b: Row): number => a.time - b.time
export const toAnnotation = ({ id, type, time, timeEnd, label, score, box: area, source }: Row) =>
  ({
    id: String(id),
    type,
    time,
    ...(timeEnd === null || timeEnd === time ? {} : { timeEnd }),
    ...(label === '' ? {} : { label }),
    ...(score === null ? {} : { score }),
    ...(area === null ? {} : { box: area }),
    ...(source === '' ? {} : { source }),
  }) satisfies Annotation

const insert = 'INSERT INTO annotations (uid, type, time, time_end) VALUES (?, ?, ?, ?)'
const extend = `UPDATE annotations SET time_end = max(time_end, ?3) WHERE id = (
  SELECT id FROM annotations WHERE uid = ?1 AND time_end >= ?2 AND type = 'event' AND source = '' AND time <= ?3
  ORDER BY time_end DESC LIMIT 1)`
const close = "UPDATE annotations SET time_end = ? WHERE uid = ? AND time_end IS NULL AND type = 'status'"
const deleteEnded = `DELETE FROM annotations WHERE id IN (
  SELECT id FROM annotations WHERE uid = ?1 AND time_end > ?2 AND time_end < ?3 AND +time > ?2
  LIMIT ${deletedAtOnce})`
const deleteServerEvents =
  "DELETE FROM annotations WHERE uid = ? AND type = 'event' AND source = '' AND time >= ? AND time < ?"
/** An annotation without an end gets its start as the end, so that retention finds it. */
const insertDetected = (rows: number): string =>
  `INSERT INTO annotations (uid, type, time, time_end, label, score, box, source)
   VALUES ${Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')} RETURNING id`
const insertedAtOnce = 100
const valuesOf = ({ streamId, type, time, timeEnd, label, score, box: area, source }: AnnotationBody): Value[] => [
  streamId,
  type,
  time,
  timeEnd ?? time,
  label,
  score ?? null,
  area === null || area === undefined ? null : z.encode(box, area),
  source,
]
const dropOldest = `DELETE FROM annotations WHERE id IN (
  SELECT id FROM annotations WHERE uid = ? AND source <> '' ORDER BY time LIMIT ?)`

export const createAnnotationStore = (store: Store, maxDetected = 500_000): AnnotationStore => {
  const countDetected = query(
    store,
    CountRow,
    "SELECT count(*) AS count FROM (SELECT id FROM annotations WHERE uid = ? AND source <> '' LIMIT ?) AS counted",
  )
  const snapshotStore = createSnapshotStore(store)
  const uidOf = query(store, z.object({ uid: z.string() }), 'SELECT uid FROM annotations WHERE id = ?')
  /** The number of detectors' annotations of each stream, cached as counting is slow. */
  const counts = new Map<string, number>()
  /** How many are left of a stream above the limit: without the difference, each that is added would be counted. */
  const left = maxDetected - Math.floor(maxDetected / 100)
  const keepWithinLimit = async (uid: string, added: number): Promise<void> => {
    let count = (counts.get(uid) ?? 0) + added
    if (!counts.has(uid) || count > maxDetected) {
      // Other nodes may have added some, too.
      count = ((await countDetected.get(uid, 2 * maxDetected + added)) ?? { count: 0 }).count
      if (count > maxDetected) {
        await store.run(dropOldest, uid, count - left)
        count = left
      }
    }
    counts.set(uid, count)
  }

  // Three queries, each bounded by a database index: one query for all overlaps would read the whole history.
  const short = query(
    store,
    AnnotationRow,
    `SELECT ${annotationColumns}
     FROM annotations WHERE uid = ?1 AND (time, id) > (?2, ?3) AND time < ?4
       AND coalesce(time_end, time) >= ?5 AND coalesce(time_end - time, 0) <= ${longMs}
       AND NOT (time_end IS NULL AND type = 'status')
     ORDER BY time, id LIMIT ${pageSize}`,
  )
  const long = query(
    store,
    AnnotationRow,
    `SELECT ${annotationColumns}
     FROM annotations WHERE uid = ?1 AND time_end - time > ${longMs} AND time_end >= ?2 AND time < ?3
     ORDER BY time_end LIMIT ${pageSize}`,
  )
  const open = query(
    store,
    AnnotationRow,
    `SELECT ${annotationColumns}
     FROM annotations WHERE uid = ?1 AND time_end IS NULL AND +time < ?2 AND type = 'status'`,
  )
  const pagesWithin = async function* (uid: string, from: number, to: number): AsyncGenerator<Annotation[]> {
    let longOrOpen = [...(await long.all(uid, from, to)), ...(await open.all(uid, to))].toSorted(earliestFirst)
    let [time, id, count] = [from - longMs, 0, 0]
    for (;;) {
      const page = await short.all(uid, time, id, to, from)
      const last = page.at(-1)
      const isLast = last === undefined || page.length < pageSize || count + page.length >= maxShort
      const ofPage = isLast ? longOrOpen : longOrOpen.filter((each) => each.time <= last.time)
      longOrOpen = longOrOpen.slice(ofPage.length)
      if (page.length + ofPage.length > 0) yield [...page, ...ofPage].toSorted(earliestFirst).map(toAnnotation)
      if (isLast) return
      time = last.time
      id = last.id
      count += page.length
    }
  }
  return {
    deleteEvents: async (uid, from, to) => {
      await store.run(deleteServerEvents, uid, from, to)
    },
    add: async (uid, type, time, timeEnd) => {
      await store.run(insert, uid, type, time, timeEnd)
    },
    addDetected: async (detected, snapshots = []) => {
      const addedTo = new Map<string, number>()
      // In one transaction, as retention may delete an event before its snapshot is there.
      const ids = await store.transaction(async () => {
        const added: number[] = []
        for (let first = 0; first < detected.length; first += insertedAtOnce) {
          const some = detected.slice(first, first + insertedAtOnce)
          const rows = await store.all(IdRow, insertDetected(some.length), ...some.flatMap(valuesOf))
          added.push(...rows.map(({ id }) => id).toSorted((a, b) => a - b))
        }
        for (const [index, { streamId }] of detected.entries()) {
          const [id, snapshot] = [added[index], snapshots[index]]
          if (id !== undefined && snapshot !== undefined) await snapshotStore.add(streamId, id, snapshot)
        }
        return added
      })
      for (const { streamId } of detected) addedTo.set(streamId, (addedTo.get(streamId) ?? 0) + 1)
      for (const [uid, added] of addedTo) await keepWithinLimit(uid, added)
      return ids
    },
    snapshot: snapshotStore.get,
    streamOf: async (id) => (await uidOf.get(id))?.uid,
    remove: async (id) => {
      await store.run('DELETE FROM annotations WHERE id = ?', id)
    },
    end: async (id, timeEnd) => {
      await store.run('UPDATE annotations SET time_end = ? WHERE id = ? AND time <= ?', timeEnd, id, timeEnd)
    },
    extendEvent: async (uid, after, timeEnd) => (await store.run(extend, uid, after, timeEnd)).changes > 0,
    openStatus: (uid, time) =>
      store.transaction(async () => {
        await store.run(close, time, uid)
        await store.run(insert, uid, 'status', time, null)
      }),
    closeStatus: async (uid, timeEnd) => {
      await store.run(close, timeEnd, uid)
    },
    within: pagesWithin,
    deleteSome: (uid, before, locksOf) =>
      store.transaction(async () => {
        for (const { from, to } of unlockedBefore(await locksOf(), before))
          if ((await store.run(deleteEnded, uid, from, to)).changes > 0) return true
        return false
      }),
  }
}
