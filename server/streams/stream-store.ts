import * as z from 'zod/mini'
import { visibleStreams, type Caller } from '../access/access.ts'
import { withoutCredentials } from '../media/source.ts'
import { bit, type Store } from '../store/store.ts'
import { createSerialQueue } from '../store/serial-queue.ts'
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

const UidRow = z.object({ uid: z.string() })
const CountRow = z.object({ count: z.number() })

const needleOf = (row: StreamRow): string =>
  [row.name, ...[row.source, row.substreamSource ?? ''].map(withoutCredentials), ...row.tags, row.location]
    .join('\n')
    .toLowerCase()

/** What changes of a stream; its owner changes with the user. */
const assigned = `name = ?, source = ?, tags = ?, location = ?, marker = ?, is_archived = ?, depth_hours = ?,
  is_on_demand = ?, is_paused = ?, needle = ?, quota_bytes = ?, substream_source = ?`
const valuesOf = (row: StreamRow) =>
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
    needleOf(row),
    row.quotaBytes ?? null,
    row.substreamSource ?? '',
  ] as const

const sortable = ({ uid, name, tags: [firstTag] }: StreamRow) => ({ uid, name, firstTag: firstTag ?? null })
const newestFirst = (a: StreamRow, b: StreamRow): number => b.createdAt - a.createdAt || (a.uid < b.uid ? -1 : 1)

export type StreamStore = Awaited<ReturnType<typeof createStreamStore>>

/**
 * All streams, in memory; a change is there once it is stored. `owner` is that of the start or of its creation: the
 * store knows who owns a stream now.
 */
export const createStreamStore = async (store: Store) => {
  const rows = new Map<string, { row: StreamRow; needle: string }>()
  const order = createStreamOrder([])
  const turns = createSerialQueue()
  let sorted: StreamRow[] | undefined

  const put = (row: StreamRow): void => {
    rows.set(row.uid, { row, needle: needleOf(row) })
    order.put(sortable(row))
    sorted = undefined
  }
  const drop = (uid: string): void => {
    rows.delete(uid)
    order.remove(uid)
    sorted = undefined
  }
  const all = (): readonly StreamRow[] => (sorted ??= [...rows.values()].map(({ row }) => row).toSorted(newestFirst))

  const readAll = async (): Promise<void> => {
    const stored = await store.all(StreamRow, `SELECT ${columns} FROM streams`)
    const kept = new Set(stored.map(({ uid }) => uid))
    for (const uid of rows.keys()) if (!kept.has(uid)) drop(uid)
    for (const row of stored) put(row)
  }

  /** The uids that a caller may see; undefined: all. */
  const visibleTo = async (caller: Caller): Promise<Set<string> | undefined> => {
    if (caller.kind === 'user' && caller.isAdmin) return undefined
    const { sql, values } = visibleStreams(caller)
    const visible = await store.all(UidRow, `SELECT uid FROM streams WHERE ${sql}`, ...values)
    return new Set(visible.map(({ uid }) => uid))
  }

  await readAll()

  return {
    /** Reads what others wrote. */
    load: () => turns(readAll),
    find: (uid: string): StreamRow | undefined => rows.get(uid)?.row,
    all: (): StreamRow[] => [...all()],
    count: (): number => rows.size,
    countOwned: async (login: string): Promise<number> =>
      (await store.get(CountRow, 'SELECT count(*) AS count FROM streams WHERE owner = ?', login))?.count ?? 0,
    /** Nothing is created while `check` looks, or if it rejects. */
    create: (row: StreamRow, check: () => Promise<void> = async () => undefined): Promise<void> =>
      turns(async () => {
        await check()
        await store.run(
          `INSERT INTO streams (uid, owner, created_at, name, source, tags, location, marker, is_archived, depth_hours,
             is_on_demand, is_paused, needle, quota_bytes, substream_source)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          row.uid,
          row.owner,
          row.createdAt,
          ...valuesOf(row),
        )
        put(row)
      }),
    /** Changes a stream as it is now; undefined if it is gone. */
    change: (uid: string, change: (row: StreamRow) => StreamRow): Promise<StreamRow | undefined> =>
      turns(async () => {
        const before = rows.get(uid)?.row
        if (before === undefined) return undefined
        const row = change(before)
        await store.run(`UPDATE streams SET ${assigned} WHERE uid = ?`, ...valuesOf(row), uid)
        put(row)
        return row
      }),
    /** `also` gets the stream as it is stored, and is part of the same transaction. */
    remove: (uid: string, also: (row: StreamRow | undefined) => Promise<void>): Promise<void> =>
      turns(async () => {
        await store.transaction(async () => {
          await also(await store.get(StreamRow, `SELECT ${columns} FROM streams WHERE uid = ?`, uid))
          await store.run('DELETE FROM streams WHERE uid = ?', uid)
        })
        drop(uid)
      }),
    ranksOf: order.ranksOf,
    /** The uids that a caller may see and that have each of some texts, newest first. */
    list: async (caller: Caller, searchingValues: readonly string[]): Promise<string[]> => {
      const visible = await visibleTo(caller)
      const wanted = searchingValues.filter((value) => value.trim() !== '').map((value) => value.trim().toLowerCase())
      return all().flatMap(({ uid }) => {
        const needle = rows.get(uid)?.needle ?? ''
        const isShown = visible?.has(uid) !== false && wanted.every((text) => needle.includes(text))
        return isShown ? [uid] : []
      })
    },
  }
}
