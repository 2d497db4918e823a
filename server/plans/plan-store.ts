import * as z from 'zod/mini'
import type { Plan, PlanBody, PlanCamera, PlanPatch } from '../../src/api/contract/plans.ts'
import { visibleStreams, type Caller } from '../access/access.ts'
import { newId } from '../access/secrets.ts'
import { notFound, quotaReached, validationError } from '../http/api-error.ts'
import { versionOf } from '../http/http-cache.ts'
import { requirePicture } from '../media/require-picture.ts'
import { allOf, query, type Store } from '../store/store.ts'

const maxPlans = 100
const pieceBytes = 256 * 1024

const PlanRow = z.object({
  id: z.string(),
  title: z.string(),
  width: z.number(),
  height: z.number(),
  picture: z.string(),
})
type PlanRow = z.output<typeof PlanRow>
const columns = 'id, title, pixel_width AS width, pixel_height AS height, version AS picture'

const CameraRow = z.object({
  plan: z.string(),
  streamId: z.string(),
  x: z.number(),
  y: z.number(),
  direction: z.nullable(z.number()),
  fieldOfView: z.nullable(z.number()),
})
const cameraColumns = 'c.plan AS plan, c.uid AS streamId, c.x AS x, c.y AS y'
const viewColumns = 'c.direction AS direction, c.field_of_view AS fieldOfView'

const cameraOf = ({ streamId, x, y, direction, fieldOfView }: z.output<typeof CameraRow>): PlanCamera => ({
  streamId,
  x,
  y,
  ...(direction === null ? {} : { direction }),
  ...(fieldOfView === null ? {} : { fieldOfView }),
})

const Uid = z.object({ uid: z.string() })
const Count = z.object({ count: z.number() })
const Piece = z.object({ bytes: z.instanceof(Uint8Array) })
const Picture = z.object({ type: z.string(), version: z.string() })

export const createPlanStore = (store: Store) => {
  const byId = query(store, PlanRow, `SELECT ${columns} FROM plans WHERE id = ?`)
  const all = query(store, PlanRow, `SELECT ${columns} FROM plans ORDER BY fold(title), id`)
  const count = query(store, Count, 'SELECT count(*) AS count FROM plans')
  const picture = query(store, Picture, "SELECT media_type AS type, version FROM plans WHERE id = ? AND version <> ''")
  const pieces = query(store, Piece, 'SELECT bytes FROM plan_pieces WHERE plan = ? ORDER BY number')

  /** The cameras that a caller may see, by plan: of one plan, or of all. */
  const camerasOf = async (caller: Caller, id?: string): Promise<Map<string, PlanCamera[]>> => {
    const { sql, values } = visibleStreams(caller)
    const rows = await store.all(
      CameraRow,
      `SELECT ${cameraColumns}, ${viewColumns} FROM plan_cameras c JOIN streams ON streams.uid = c.uid
       WHERE ${id === undefined ? '' : 'c.plan = ? AND '}${sql} ORDER BY c.plan, fold(streams.name), c.uid`,
      ...(id === undefined ? [] : [id]),
      ...values,
    )
    const byPlan = Map.groupBy(rows, ({ plan }) => plan)
    return new Map([...byPlan].map(([plan, cameras]) => [plan, cameras.map(cameraOf)]))
  }

  const get = async (caller: Caller, id: string): Promise<Plan> => {
    const row = await byId.get(id)
    if (row === undefined) throw notFound()
    return { ...row, cameras: (await camerasOf(caller, id)).get(id) ?? [] }
  }

  /** Throws 400 with the first stream that doesn't exist, or is placed twice. */
  const setCameras = async (id: string, cameras: readonly PlanCamera[]): Promise<void> => {
    const uids = cameras.map(({ streamId }) => streamId)
    const known = await allOf(uids, (some, placeholders) =>
      store.all(Uid, `SELECT uid FROM streams WHERE uid IN (${placeholders})`, ...some),
    )
    const free = new Set(known.map(({ uid }) => uid))
    for (const [index, uid] of uids.entries()) {
      if (free.delete(uid)) continue
      const isTwice = uids.indexOf(uid) < index
      throw validationError({ [`cameras.${index}.streamId`]: isTwice ? 'Already used' : 'Unknown stream' })
    }
    await store.run('DELETE FROM plan_cameras WHERE plan = ?', id)
    const insert = 'INSERT INTO plan_cameras (plan, uid, x, y, direction, field_of_view) VALUES (?, ?, ?, ?, ?, ?)'
    for (const { streamId, x, y, direction = null, fieldOfView = null } of cameras)
      await store.run(insert, id, streamId, x, y, direction, fieldOfView)
  }

  const setPicture = async (id: string, bytes: Buffer): Promise<void> => {
    const { type, width, height } = requirePicture(bytes, 'picture')
    const sql = 'UPDATE plans SET pixel_width = ?, pixel_height = ?, media_type = ?, version = ? WHERE id = ?'
    if ((await store.run(sql, width, height, type, versionOf(bytes), id)).changes === 0) throw notFound()
    await store.run('DELETE FROM plan_pieces WHERE plan = ?', id)
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      const piece = bytes.subarray(from, from + pieceBytes)
      await store.run('INSERT INTO plan_pieces (plan, number, bytes) VALUES (?, ?, ?)', id, from / pieceBytes, piece)
    }
  }

  return {
    /** Rejects with 404. */
    get,

    /** The plans that a caller may see, by title: those with a camera that the caller may see. Administrators: all. */
    list: async (caller: Caller): Promise<Plan[]> => {
      const cameras = await camerasOf(caller)
      const isSeen = ({ id }: PlanRow) => cameras.has(id) || (caller.kind === 'user' && caller.isAdmin)
      return (await all.all()).filter(isSeen).map((row) => ({ ...row, cameras: cameras.get(row.id) ?? [] }))
    },

    add: (caller: Caller, { title, cameras }: z.output<typeof PlanBody>): Promise<Plan> =>
      store.transaction(async () => {
        if (((await count.get())?.count ?? 0) >= maxPlans) throw quotaReached()
        const id = newId()
        const sql =
          "INSERT INTO plans (id, title, pixel_width, pixel_height, media_type, version) VALUES (?, ?, 0, 0, '', '')"
        await store.run(sql, id, title)
        await setCameras(id, cameras)
        return get(caller, id)
      }),

    change: (caller: Caller, id: string, { title, cameras }: z.output<typeof PlanPatch>): Promise<Plan> =>
      store.transaction(async () => {
        const before = await get(caller, id)
        await store.run('UPDATE plans SET title = ? WHERE id = ?', title ?? before.title, id)
        if (cameras !== undefined) await setCameras(id, cameras)
        return get(caller, id)
      }),

    /** Checks the picture by its bytes. Throws 400. */
    setPicture: (caller: Caller, id: string, bytes: Buffer): Promise<Plan> =>
      store.transaction(async () => {
        await setPicture(id, bytes)
        return get(caller, id)
      }),

    /** Rejects with 404 without a picture. */
    picture: async (id: string): Promise<z.output<typeof Picture>> => {
      const found = await picture.get(id)
      if (found === undefined) throw notFound()
      return found
    },

    bytes: async (id: string): Promise<Buffer> => Buffer.concat((await pieces.all(id)).map(({ bytes }) => bytes)),

    /** Rejects with 404. */
    remove: async (id: string): Promise<void> => {
      if ((await store.run('DELETE FROM plans WHERE id = ?', id)).changes === 0) throw notFound()
    },
  }
}
