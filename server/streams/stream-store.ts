import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { visibleStreams, type Caller } from '../access/access.ts'
import { withoutCredentials } from '../media/source.ts'
import { query } from '../store/database.ts'
import { bit } from '../store/store.ts'
import { createStreamOrder } from './stream-order.ts'

const tagList = z.codec(z.string(), z.array(z.string()), {
  decode: (text) => z.parse(z.array(z.string()), JSON.parse(text)),
  encode: (tags) => JSON.stringify(tags),
})

const StreamRow = z.object({
  uid: z.string(),
  name: z.string(),
  source: z.string(),
  tags: tagList,
  location: z.string(),
  marker: z.string(),
  isArchived: bit,
  depthHours: z.number(),
  isOnDemand: bit,
  isPaused: bit,
  owner: z.nullable(z.string()),
  createdAt: z.number(),
  quotaBytes: z.optional(z.nullable(z.number())),
  substreamSource: z.optional(z.string()),
})
/**
 * A stream as stored; both sources with their credentials, `quotaBytes` only if its archive has its own quota.
 * `substreamSource` is empty or absent without a substream.
 */
export type StreamRow = z.output<typeof StreamRow>

const columns = `uid, name, source, tags, location, marker, is_archived AS isArchived, depth_hours AS depthHours,
  is_on_demand AS isOnDemand, is_paused AS isPaused, owner, created_at AS createdAt, quota_bytes AS quotaBytes,
  substream_source AS substreamSource`

const SortableRow = z.object({ uid: z.string(), name: z.string(), firstTag: z.nullable(z.string()) })
const CountRow = z.object({ count: z.number() })

const needleOf = (row: StreamRow): string =>
  [row.name, ...[row.source, row.substreamSource ?? ''].map(withoutCredentials), ...row.tags, row.location]
    .join('\n')
    .toLowerCase()

export type StreamStore = ReturnType<typeof createStreamStore>

export const createStreamStore = (db: DatabaseSync) => {
  const byUid = query(db, StreamRow, `SELECT ${columns} FROM streams WHERE uid = ?`)
  const everything = query(db, StreamRow, `SELECT ${columns} FROM streams ORDER BY created_at DESC, uid`)
  const all = query(db, CountRow, 'SELECT count(*) AS count FROM streams')
  const owned = query(db, CountRow, 'SELECT count(*) AS count FROM streams WHERE owner = ?')
  const order = createStreamOrder(query(db, SortableRow, 'SELECT uid, name, tags ->> 0 AS firstTag FROM streams').all())
  const sortable = ({ uid, name, tags: [firstTag] }: StreamRow) => ({ uid, name, firstTag: firstTag ?? null })
  const values = (row: StreamRow) =>
    [
      row.name,
      row.source,
      JSON.stringify(row.tags),
      row.location,
      row.marker,
      Number(row.isArchived),
      row.depthHours,
      Number(row.isOnDemand),
      Number(row.isPaused),
      row.owner,
      row.createdAt,
      needleOf(row),
      row.quotaBytes ?? null,
      row.substreamSource ?? '',
      row.uid,
    ] as const

  return {
    find: (uid: string): StreamRow | undefined => byUid.get(uid),
    all: (): StreamRow[] => everything.all(),
    count: (): number => all.get()?.count ?? 0,
    countOwned: (login: string): number => owned.get(login)?.count ?? 0,
    create: (row: StreamRow): void => {
      db.prepare(
        `INSERT INTO streams (name, source, tags, location, marker, is_archived, depth_hours, is_on_demand, is_paused,
           owner, created_at, needle, quota_bytes, substream_source, uid)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(...values(row))
      order.put(sortable(row))
    },
    save: (row: StreamRow): void => {
      db.prepare(
        `UPDATE streams SET name = ?, source = ?, tags = ?, location = ?, marker = ?, is_archived = ?, depth_hours = ?,
           is_on_demand = ?, is_paused = ?, owner = ?, created_at = ?, needle = ?, quota_bytes = ?,
           substream_source = ? WHERE uid = ?`,
      ).run(...values(row))
      order.put(sortable(row))
    },
    remove: (uid: string): void => {
      db.prepare('DELETE FROM streams WHERE uid = ?').run(uid)
      order.remove(uid)
    },
    place: order.place,
    list: (caller: Caller, searchingValues: readonly string[]): string[] => {
      const visible = visibleStreams(caller)
      const wanted = searchingValues.filter((value) => value.trim() !== '').map((value) => value.trim().toLowerCase())
      const conditions = [visible.sql, ...wanted.map(() => 'instr(needle, ?) > 0')].join(' AND ')
      const statement = db.prepare(`SELECT uid FROM streams WHERE ${conditions} ORDER BY created_at DESC, uid`)
      statement.setReturnArrays(true)
      return statement.all(...visible.values, ...wanted).map((row) => String(row[0]))
    },
  }
}
