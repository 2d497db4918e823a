import * as z from 'zod/mini'
import type { Annotation } from '../../src/api/contract/archive.ts'
import { query, type Store } from '../store/store.ts'

const AnnotationRow = z.object({ id: z.number(), type: z.string(), time: z.number(), timeEnd: z.nullable(z.number()) })
type Row = z.output<typeof AnnotationRow>

const mostAnswered = 20_000
const annotationsAtOnce = 1000

export type AnnotationStore = {
  note: (uid: string, type: 'event' | 'status', time: number, timeEnd: number) => Promise<void>
  /** Extends the last event if it ended at `after` or later and began before `timeEnd`; false without one. */
  extendEvent: (uid: string, after: number, timeEnd: number) => Promise<boolean>
  openStatus: (uid: string, time: number) => Promise<void>
  closeStatus: (uid: string, timeEnd: number) => Promise<void>
  /** Annotations that overlap a range, oldest first, in pages; at most 20,000. */
  within: (uid: string, from: number, to: number) => AsyncGenerator<Annotation[]>
  forgetEvents: (uid: string, from: number, to: number) => Promise<void>
  forgetSome: (uid: string, before: number) => Promise<boolean>
}

/** Longer annotations have an index of their own, which bounds searches; same value as in the tables. */
const longMs = 600_000
const forgottenAtOnce = 1000

const columns = 'id, type, time, time_end AS timeEnd'
const earliestFirst = (a: Row, b: Row): number => a.time - b.time
const toAnnotation = ({ type, time, timeEnd }: Row): Annotation =>
  timeEnd === null ? { type, time } : { type, time, timeEnd }

const insert = 'INSERT INTO annotations (uid, type, time, time_end) VALUES (?, ?, ?, ?)'
const extend = `UPDATE annotations SET time_end = max(time_end, ?3) WHERE id = (
  SELECT id FROM annotations WHERE uid = ?1 AND time_end >= ?2 AND type = 'event' AND time <= ?3
  ORDER BY time_end DESC LIMIT 1)`
const close = "UPDATE annotations SET time_end = ? WHERE uid = ? AND time_end IS NULL AND type = 'status'"
const forget = `DELETE FROM annotations WHERE id IN (
  SELECT id FROM annotations WHERE uid = ? AND time_end < ? LIMIT ${forgottenAtOnce})`
const forgetEvents = "DELETE FROM annotations WHERE uid = ? AND type = 'event' AND time >= ? AND time < ?"

export const createAnnotationStore = (store: Store): AnnotationStore => {
  // Three queries, each bounded by an index: an overlap alone isn't, and grows with history.
  const short = query(
    store,
    AnnotationRow,
    `SELECT ${columns} FROM annotations WHERE uid = ?1 AND (time, id) > (?2, ?3) AND time < ?4
       AND coalesce(time_end, time) >= ?5 AND coalesce(time_end - time, 0) <= ${longMs}
       AND NOT (time_end IS NULL AND type = 'status')
     ORDER BY time, id LIMIT ${annotationsAtOnce}`,
  )
  const long = query(
    store,
    AnnotationRow,
    `SELECT ${columns} FROM annotations WHERE uid = ?1 AND time_end - time > ${longMs} AND time_end >= ?2 AND time < ?3
     ORDER BY time_end LIMIT ${annotationsAtOnce}`,
  )
  const open = query(
    store,
    AnnotationRow,
    `SELECT ${columns} FROM annotations WHERE uid = ?1 AND time_end IS NULL AND +time < ?2 AND type = 'status'`,
  )
  const pagesWithin = async function* (uid: string, from: number, to: number): AsyncGenerator<Annotation[]> {
    let others = [...(await long.all(uid, from, to)), ...(await open.all(uid, to))].toSorted(earliestFirst)
    let [time, id, count] = [from - longMs, 0, 0]
    for (;;) {
      const page = await short.all(uid, time, id, to, from)
      const last = page.at(-1)
      const isLast = last === undefined || page.length < annotationsAtOnce || count + page.length >= mostAnswered
      const before = isLast ? others : others.filter((each) => each.time <= last.time)
      others = others.slice(before.length)
      if (page.length + before.length > 0) yield [...page, ...before].toSorted(earliestFirst).map(toAnnotation)
      if (isLast) return
      time = last.time
      id = last.id
      count += page.length
    }
  }
  return {
    forgetEvents: async (uid, from, to) => {
      await store.run(forgetEvents, uid, from, to)
    },
    note: async (uid, type, time, timeEnd) => {
      await store.run(insert, uid, type, time, timeEnd)
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
    forgetSome: async (uid, before) => (await store.run(forget, uid, before)).changes > 0,
  }
}
