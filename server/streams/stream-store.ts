import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { visibleStreams, type Caller } from '../access/access.ts'
import { maskList } from '../media/masks.ts'
import { withoutCredentials } from '../media/source.ts'
import { jsonColumn } from '../store/json-column.ts'
import { bit, type Store } from '../store/store.ts'
import { createSerialQueue } from '../store/serial-queue.ts'
import { createStreamOrder } from './stream-order.ts'

const tagList = jsonColumn(z.array(z.string()))

const Onvif = z.object({ url: z.string(), profile: z.string() })
const onvif = jsonColumn(Onvif)

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
  onvif: z.optional(z.nullable(onvif)),
  masks: z.optional(maskList),
})
/**
 * A stream as stored. Both sources have their credentials. `quotaBytes` is set only if the archive has a quota of its
 * own. `substreamSource` is empty or absent without a substream. `onvif.url` may have credentials, too.
 */
export type StreamRow = z.output<typeof StreamRow>

const columns = `uid, name, source, tags, location, marker, is_archived AS isArchived, depth_hours AS depthHours,
  is_on_demand AS isOnDemand, is_paused AS isPaused, owner, created_at AS createdAt, quota_bytes AS quotaBytes,
  substream_source AS substreamSource, onvif, masks`

const UidRow = z.object({ uid: z.string() })
const CountRow = z.object({ count: z.number() })

/** The text that searching looks in, stored in the column `needle`. */
const searchedTextOf = (row: StreamRow): string =>
  [row.name, ...[row.source, row.substreamSource ?? ''].map(withoutCredentials), ...row.tags, row.location]
    .join('\n')
    .toLowerCase()

/** The columns that change with a stream. Its owner changes only with the user. */
const assignments = `name = ?, source = ?, tags = ?, location = ?, marker = ?, is_archived = ?, depth_hours = ?,
  is_on_demand = ?, is_paused = ?, needle = ?, quota_bytes = ?, substream_source = ?, onvif = ?, masks = ?`
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
    searchedTextOf(row),
    row.quotaBytes ?? null,
    row.substreamSource ?? '',
    row.onvif === null || row.onvif === undefined ? null : z.encode(onvif, row.onvif),
    JSON.stringify(row.masks ?? []),
  ] as const

const sortable = ({ uid, name, tags: [firstTag] }: StreamRow) => ({ uid, name, firstTag: firstTag ?? null })
const newestFirst = (a: StreamRow, b: StreamRow): number => b.createdAt - a.createdAt || (a.uid < b.uid ? -1 : 1)

export type StreamStore = Awaited<ReturnType<typeof createStreamStore>>

/**
 * The streams, all of them in memory; a change is visible once the database has it. `owner` is the owner when the row
 * was read: ask the database for the present owner.
 */
export const createStreamStore = async (store: Store) => {
  const rows = new Map<string, { row: StreamRow; searchedText: string }>()
  const order = createStreamOrder([])
  const queue = createSerialQueue()
  let sorted: StreamRow[] | undefined

  const put = (row: StreamRow): void => {
    rows.set(row.uid, { row, searchedText: searchedTextOf(row) })
    order.put(sortable(row))
    sorted = undefined
  }
  const drop = (uid: string): void => {
    rows.delete(uid)
    order.remove(uid)
    sorted = undefined
  }
  const all = (): readonly StreamRow[] => (sorted ??= [...rows.values()].map(({ row }) => row).toSorted(newestFirst))

  const stored = (uid: string): Promise<StreamRow | undefined> =>
    store.get(StreamRow, `SELECT ${columns} FROM streams WHERE uid = ?`, uid)

  const readAll = async (): Promise<string[]> => {
    const found = await store.all(StreamRow, `SELECT ${columns} FROM streams`)
    const kept = new Set(found.map(({ uid }) => uid))
    const removed = [...rows.keys()].filter((uid) => !kept.has(uid))
    const changed = found.filter((row) => !isDeepStrictEqual(row, rows.get(row.uid)?.row))
    for (const uid of removed) drop(uid)
    for (const row of changed) put(row)
    return [...removed, ...changed.map(({ uid }) => uid)]
  }

  /** The streams that a caller may see; undefined for all. */
  const visibleTo = async (caller: Caller): Promise<Set<string> | undefined> => {
    if (caller.kind === 'user' && caller.isAdmin) return undefined
    const { sql, values } = visibleStreams(caller)
    const visible = await store.all(UidRow, `SELECT uid FROM streams WHERE ${sql}`, ...values)
    return new Set(visible.map(({ uid }) => uid))
  }

  await readAll()

  return {
    /** Reads all streams from the database again; answers the uids of those that were added, changed or removed. */
    load: () => queue(readAll),
    find: (uid: string): StreamRow | undefined => rows.get(uid)?.row,
    all: (): StreamRow[] => [...all()],
    /** Also those that another node has created. */
    count: async (): Promise<number> =>
      (await store.get(CountRow, 'SELECT count(*) AS count FROM streams'))?.count ?? 0,
    countOwned: async (login: string): Promise<number> =>
      (await store.get(CountRow, 'SELECT count(*) AS count FROM streams WHERE owner = ?', login))?.count ?? 0,
    /**
     * Creates a stream, unless `check` rejects, which runs in the same transaction: no other stream is created
     * meanwhile, by another node either.
     */
    create: (row: StreamRow, check: () => Promise<void> = async () => undefined): Promise<void> =>
      queue(async () => {
        await store.transaction(async () => {
          await check()
          await store.run(
            `INSERT INTO streams (uid, owner, created_at, name, source, tags, location, marker, is_archived,
               depth_hours, is_on_demand, is_paused, needle, quota_bytes, substream_source, onvif, masks)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            row.uid,
            row.owner,
            row.createdAt,
            ...valuesOf(row),
          )
        })
        put(row)
      }),
    /** The stored row of a stream, which another node may have changed. */
    stored,
    /** Changes the stored row of a stream, which another node may have changed. Undefined if it is gone. */
    change: (uid: string, change: (row: StreamRow) => StreamRow): Promise<StreamRow | undefined> =>
      queue(async () => {
        const row = await store.transaction(async () => {
          const before = await stored(uid)
          const changed = before && change(before)
          if (changed !== undefined)
            await store.run(`UPDATE streams SET ${assignments} WHERE uid = ?`, ...valuesOf(changed), uid)
          return changed
        })
        if (row !== undefined) put(row)
        return row
      }),
    /** Removes a stream. `also` gets its stored row and runs in the same transaction. */
    remove: (uid: string, also: (row: StreamRow | undefined) => Promise<void>): Promise<void> =>
      queue(async () => {
        await store.transaction(async () => {
          await also(await stored(uid))
          await store.run('DELETE FROM streams WHERE uid = ?', uid)
        })
        drop(uid)
      }),
    ranksOf: order.ranksOf,
    /** The streams that a caller may see and that contain every search text, newest first. */
    list: async (caller: Caller, searchingValues: readonly string[]): Promise<string[]> => {
      const visible = await visibleTo(caller)
      // A source is also found as it is shown, with its credentials or their mask, which aren't searched.
      const texts = searchingValues
        .map((value) => value.trim().toLowerCase())
        .filter((value) => value !== '')
        .map((value) => [value, withoutCredentials(value)])
      return all().flatMap(({ uid }) => {
        const searchedText = rows.get(uid)?.searchedText ?? ''
        const isFound = texts.every((forms) => forms.some((form) => searchedText.includes(form)))
        const isShown = visible?.has(uid) !== false && isFound
        return isShown ? [uid] : []
      })
    },
  }
}
