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
const IdRow = z.object({ id: z.number() })
const FoundRow = z.extend(AnnotationRow, { hasSnapshot: bit })
const CountRow = z.object({ count: z.number() })

/** Finds ids by a covering index alone; the unary plus is a hint not to use another. */
const idsOf = ({ streams, uids, from, to, label = '', type = '' }: EventFilter): { sql: string; values: Value[] } => {
  const placeholders = uids.map(() => '?').join(', ')
  const index = label === '' ? 'annotations_found' : 'annotations_labelled'
  return {
    sql: `SELECT id FROM annotations INDEXED BY ${index}
      WHERE ${label === '' ? '' : "label = ? AND label <> '' AND "}time >= ? AND time < ?
        ${uids.length === 0 ? '' : `AND +uid IN (${placeholders})`} ${type === '' ? '' : 'AND +type = ?'}
        AND +uid IN (SELECT uid FROM streams WHERE ${streams.sql})`,
    values: [
      ...(label === '' ? [] : [label]),
      from ?? Number.MIN_SAFE_INTEGER,
      to ?? Number.MAX_SAFE_INTEGER,
      ...uids,
      ...(type === '' ? [] : [type]),
      ...streams.values,
    ],
  }
}

/** A page of the annotations that a filter finds, newest first. `total` is exact unless `hasMore`. */
export const searchEvents = async (store: Store, filter: EventFilter, page: number): Promise<EventPage> => {
  const { sql, values } = idsOf(filter)
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
  const { count = 0 } =
    (await store.get(CountRow, `SELECT count(*) AS count FROM (${sql} LIMIT ?) AS counted`, ...values, maxTotal + 1)) ??
    {}
  const items = ids.flatMap(({ id }) => {
    const row = byId.get(id)
    if (row === undefined) return []
    return [{ ...toAnnotation(row), streamId: row.uid, ...(row.hasSnapshot ? { hasSnapshot: true } : {}) }]
  })
  const total = Math.min(count, maxTotal)
  return { items, page, pageSize: eventPageSize, total, ...(count > maxTotal ? { hasMore: true } : {}) }
}
