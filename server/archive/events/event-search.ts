import * as z from 'zod/mini'
import type { EventPage } from '../../../src/api/contract/events.ts'
import type { Value } from '../../store/connection.ts'
import { allOf, bit, type Store } from '../../store/store.ts'
import { annotationColumns, AnnotationRow, toAnnotation } from './annotations.ts'
import { hasSnapshotColumn } from './snapshots.ts'

/** `streams`: a condition on the table `streams`, with its values; `uids`, unless empty, narrows it. */
export type EventFilter = {
  streams: { sql: string; values: readonly string[] }
  uids: readonly string[]
  from?: number | undefined
  to?: number | undefined
  label?: string | undefined
  type?: string | undefined
}

const eventPageSize = 50
/** At most this many events after the page are counted, as counting takes time in proportion to their number. */
const maxCounted = 10_000
/** The events of up to so many streams are found by the index of each stream: more can't be asked for. */
const maxStreams = 100
/** That index has neither label nor type: of more events they aren't compared one by one. */
const maxCompared = 20_000
const IdRow = z.object({ id: z.number() })
const UidRow = z.object({ uid: z.string() })
const FoundRow = z.extend(AnnotationRow, { hasSnapshot: bit })
const CountRow = z.object({ count: z.number() })

/** A part of a statement, with its values. */
type Part = { sql: string; values: Value[] }
/** A filter of streams that are known to be visible. */
type EventsOfStreams = Omit<EventFilter, 'streams'>

const timesOf = ({ from, to }: EventsOfStreams): Part => ({
  sql: 'time >= ? AND time < ?',
  values: [from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER],
})

/** Events of any streams, found by a covering index alone; the unary plus is a hint not to use another. */
const eventsOfAny = (filter: EventsOfStreams, visible?: EventFilter['streams']): Part => {
  const { uids, label = '', type = '' } = filter
  const times = timesOf(filter)
  const placeholders = uids.map(() => '?').join(', ')
  const index = label === '' ? 'annotations_found' : 'annotations_labelled'
  return {
    sql: `SELECT time, id FROM annotations INDEXED BY ${index}
      WHERE ${label === '' ? '' : "label = ? AND label <> '' AND "}${times.sql}
        ${uids.length === 0 ? '' : `AND +uid IN (${placeholders})`} ${type === '' ? '' : 'AND +type = ?'}
        ${visible === undefined ? '' : `AND +uid IN (SELECT uid FROM streams WHERE ${visible.sql})`}`,
    values: [
      ...(label === '' ? [] : [label]),
      ...times.values,
      ...uids,
      ...(type === '' ? [] : [type]),
      ...(visible?.values ?? []),
    ],
  }
}

/** Events of some streams, found by the index of each. SQLite merges these, and reads no more than it is asked for. */
const eventsOfEach = (filter: EventsOfStreams): Part => {
  const { uids, label = '', type = '' } = filter
  const times = timesOf(filter)
  const ofOne = `SELECT time, id FROM annotations INDEXED BY annotations_time
    WHERE uid = ? AND ${times.sql} ${label === '' ? '' : 'AND label = ?'} ${type === '' ? '' : 'AND type = ?'}`
  const compared = [label, type].filter((text) => text !== '')
  return {
    sql: uids.map(() => ofOne).join(' UNION ALL '),
    values: uids.flatMap((uid) => [uid, ...times.values, ...compared]),
  }
}

/** How many there are, or `most` if there are more. */
const countOf = async (store: Store, { sql, values }: Part, most: number): Promise<number> => {
  const counting = `SELECT count(*) AS count FROM (${sql} LIMIT ?) AS counted`
  return (await store.get(CountRow, counting, ...values, most))?.count ?? 0
}

/** The streams that a filter is about, or some of them if there are more than {@link maxStreams}. */
const streamsOf = async (store: Store, { streams, uids }: EventFilter): Promise<string[]> => {
  const narrowing = uids.length === 0 ? '' : `AND uid IN (${uids.map(() => '?').join(', ')})`
  const sql = `SELECT uid FROM streams WHERE (${streams.sql}) ${narrowing} LIMIT ?`
  return (await store.all(UidRow, sql, ...streams.values, ...uids, maxStreams + 1)).map(({ uid }) => uid)
}

/** Finds the events of a filter by the index that needs the least reading; undefined if it is about no stream. */
const eventsOf = async (store: Store, filter: EventFilter): Promise<Part | undefined> => {
  const { streams, label = '', type = '', ...rest } = filter
  const uids = await streamsOf(store, filter)
  if (uids.length === 0) return undefined
  if (uids.length > maxStreams) return eventsOfAny(filter, streams)
  const ofStreams = { ...rest, uids, label, type }
  if (store.usesStatistics) return eventsOfAny(ofStreams)
  const isCompared = label !== '' || type !== ''
  if (isCompared && (await countOf(store, eventsOfEach({ ...rest, uids }), maxCompared + 1)) > maxCompared)
    return eventsOfAny(ofStreams)
  return eventsOfEach(ofStreams)
}

/** A page of the annotations that a filter finds, newest first. `total` is exact unless `hasMore`. */
export const searchEvents = async (store: Store, filter: EventFilter, page: number): Promise<EventPage> => {
  const events = await eventsOf(store, filter)
  if (events === undefined) return { items: [], page, pageSize: eventPageSize, total: 0 }
  const { sql, values } = events
  const offset = (page - 1) * eventPageSize
  const maxTotal = offset + eventPageSize + maxCounted
  const ids = await store.all(
    IdRow,
    `${sql} ORDER BY time DESC, id DESC LIMIT ? OFFSET ?`,
    ...values,
    eventPageSize,
    offset,
  )
  const rows = await allOf(
    ids.map(({ id }) => id),
    (some, placeholders) =>
      store.all(
        FoundRow,
        `SELECT ${annotationColumns}, ${hasSnapshotColumn} FROM annotations WHERE id IN (${placeholders})`,
        ...some,
      ),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const count = await countOf(store, events, maxTotal + 1)
  const items = ids.flatMap(({ id }) => {
    const row = byId.get(id)
    if (row === undefined) return []
    return [{ ...toAnnotation(row), streamId: row.uid, ...(row.hasSnapshot ? { hasSnapshot: true } : {}) }]
  })
  const total = Math.min(count, maxTotal)
  return { items, page, pageSize: eventPageSize, total, ...(count > maxTotal ? { hasMore: true } : {}) }
}
