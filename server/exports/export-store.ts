import * as z from 'zod/mini'
import { newId } from '../access/secrets.ts'
import { quotaReached } from '../http/api-error.ts'
import { maskList } from '../media/masks.ts'
import { allOf, bit, query, type Store } from '../store/store.ts'

const ItemRow = z.object({
  export: z.string(),
  uid: z.string(),
  name: z.string(),
  start: z.number(),
  finish: z.number(),
  masks: maskList,
})
/** A range of a stream. `name` and `masks`: of the stream when it was requested. Times in epoch milliseconds. */
export type Item = Omit<z.output<typeof ItemRow>, 'export'>

const Row = z.object({
  id: z.string(),
  owner: z.nullable(z.string()),
  login: z.string(),
  note: z.string(),
  overlay: bit,
  status: z.enum(['queued', 'running', 'ready', 'failed']),
  reason: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  created: z.number(),
  expires: z.number(),
  node: z.string(),
  timezone: z.string(),
})
const Id = z.pick(Row, { id: true })
const Owned = z.pick(Row, { id: true, node: true })
const Node = z.pick(Row, { node: true })
export type StoredExport = z.output<typeof Row> & { items: Item[] }

const columns = 'id, owner, login, note, overlay, status, reason, bytes, sha256, created, expires, node, timezone'
/** Exports of one user, failed ones included. */
const maxPerUser = 100
const maxListed = 1000

export type ExportStore = ReturnType<typeof createExportStore>

/** `node`: this node of a cluster, which makes the exports that are added here. One server alone, '', makes all. */
export const createExportStore = (store: Store, node = '') => {
  const withItems = async (rows: z.output<typeof Row>[]): Promise<StoredExport[]> => {
    const found = await allOf(
      rows.map(({ id }) => id),
      (some, placeholders) =>
        store.all(
          ItemRow,
          `SELECT export, uid, name, start, finish, masks FROM export_items
           WHERE export IN (${placeholders}) ORDER BY export, place`,
          ...some,
        ),
    )
    const byExport = Map.groupBy(found, (row) => row.export)
    return rows.map((row) => ({
      ...row,
      items: (byExport.get(row.id) ?? []).map(({ uid, name, start, finish, masks }) => ({
        uid,
        name,
        start,
        finish,
        masks,
      })),
    }))
  }
  const order = `ORDER BY created DESC, id DESC LIMIT ${maxListed}`
  const byId = query(store, Row, `SELECT ${columns} FROM exports WHERE id = ?`)
  const every = query(store, Row, `SELECT ${columns} FROM exports ${order}`)
  const byOwner = query(store, Row, `SELECT ${columns} FROM exports WHERE owner = ? ${order}`)
  const unfinished = query(
    store,
    Row,
    `SELECT ${columns} FROM exports WHERE status IN ('queued', 'running') AND (?1 = '' OR node IN ('', ?1))
     ORDER BY created, id`,
  )
  const ready = query(store, Id, "SELECT id FROM exports WHERE status = 'ready' AND (?1 = '' OR node IN ('', ?1))")
  const makers = query(store, Node, "SELECT DISTINCT node FROM exports WHERE status IN ('queued', 'running', 'ready')")
  const old = query(store, Owned, "SELECT id, node FROM exports WHERE expires <= ? AND status IN ('ready', 'failed')")
  const owned = query(store, z.object({ count: z.number() }), 'SELECT count(*) AS count FROM exports WHERE owner = ?')
  const used = query(store, z.object({ bytes: z.number() }), 'SELECT coalesce(sum(bytes), 0) AS bytes FROM exports')

  return {
    add: (
      request: Pick<StoredExport, 'login' | 'note' | 'overlay' | 'timezone' | 'created' | 'items'>,
    ): Promise<string> =>
      store.transaction(async () => {
        const { login, note, overlay, timezone, created, items } = request
        if (((await owned.get(login))?.count ?? 0) >= maxPerUser) throw quotaReached()
        const id = newId()
        await store.run(
          `INSERT INTO exports (${columns}) VALUES (?, ?, ?, ?, ?, 'queued', '', 0, '', ?, 0, ?, ?)`,
          id,
          login,
          login,
          note,
          Number(overlay),
          created,
          node,
          timezone,
        )
        for (const [index, { uid, name, start, finish, masks }] of items.entries()) {
          const sql = `INSERT INTO export_items (export, place, uid, name, start, finish, masks)
                       VALUES (?, ?, ?, ?, ?, ?, ?)`
          await store.run(sql, id, index, uid, name, start, finish, JSON.stringify(masks))
        }
        return id
      }),
    find: async (id: string): Promise<StoredExport | undefined> => {
      const row = await byId.get(id)
      return row === undefined ? undefined : (await withItems([row]))[0]
    },
    /** The exports of one user or of all users, newest first. */
    list: async (owner?: string): Promise<StoredExport[]> =>
      withItems(await (owner === undefined ? every.all() : byOwner.all(owner))),
    /** This node's exports that wait, or that were being made when the server ended. */
    unfinished: async (): Promise<StoredExport[]> => withItems(await unfinished.all(node)),
    /** The nodes that have unfinished exports, or files of exports. */
    makers: async (): Promise<string[]> => (await makers.all()).map((row) => row.node),
    /** Gives the unfinished exports of another node to this one; of a removed node also those that have a file. */
    takeOver: (from: string, isRemoved: boolean) =>
      store.run(
        // The removed node had the file: it takes no space any more.
        `UPDATE exports SET node = ?, status = 'queued', bytes = 0
         WHERE node = ? AND (status IN ('queued', 'running') OR (status = 'ready' AND ? = 1))`,
        node,
        from,
        Number(isRemoved),
      ),
    /** The ids of the exports whose files this node has. */
    readyIds: async (): Promise<string[]> => (await ready.all(node)).map(({ id }) => id),
    /** Of an export whose file is lost. */
    makeAgain: (id: string) =>
      store.run("UPDATE exports SET status = 'queued', bytes = 0 WHERE id = ? AND status = 'ready'", id),
    /** The exports of all nodes that have expired. */
    expired: (now: number): Promise<z.output<typeof Owned>[]> => old.all(now),
    usedBytes: async (): Promise<number> => (await used.get())?.bytes ?? 0,
    /** False if another node makes the export, or it is finished or removed. */
    markRunning: async (id: string): Promise<boolean> => {
      const sql = `UPDATE exports SET status = 'running', node = ?1
                   WHERE id = ?2 AND status IN ('queued', 'running') AND (?1 = '' OR node IN ('', ?1))`
      return (await store.run(sql, node, id)).changes > 0
    },
    /** False if another node has taken the export over. */
    markReady: async (id: string, bytes: number, sha256: string, expires: number): Promise<boolean> => {
      const { changes } = await store.run(
        "UPDATE exports SET status = 'ready', bytes = ?, sha256 = ?, expires = ? WHERE id = ? AND node = ?",
        bytes,
        sha256,
        expires,
        id,
        node,
      )
      return changes > 0
    },
    markFailed: (id: string, reason: string, expires: number) =>
      store.run(
        "UPDATE exports SET status = 'failed', reason = ?, expires = ? WHERE id = ? AND node = ?",
        reason,
        expires,
        id,
        node,
      ),
    remove: (id: string) => store.run('DELETE FROM exports WHERE id = ?', id),
  }
}
