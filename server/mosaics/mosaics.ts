import * as z from 'zod/mini'
import { Cell, Mosaic, MosaicCreated, MosaicBody, Mosaics } from '../../src/api/contract/mosaic.ts'
import { LeaseQuery } from '../../src/api/contract/stream.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import type { Caller } from '../access/access.ts'
import { signedIn } from '../access/gate.ts'
import { newId } from '../access/secrets.ts'
import type { ServerPlugin } from '../context.ts'
import { notFound, quotaReached, validationError } from '../http/api-error.ts'
import { cachedQuery } from '../store/cached-query.ts'
import { jsonColumn } from '../store/json-column.ts'
import { query } from '../store/store.ts'
import { layoutErrors } from './layout.ts'
import { visibleMosaics } from './visible-mosaics.ts'

/** The mosaics of a deleted user stay, for administrators; cells of deleted streams stay, too. */
export const mosaicsSteps: readonly string[] = [
  `CREATE TABLE mosaics (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    owner TEXT COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE SET NULL,
    columns INTEGER NOT NULL, rows INTEGER NOT NULL, cells TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX mosaics_owner ON mosaics (owner);`,
]

const cellList = jsonColumn(z.array(Cell))
const MosaicRow = z.object({ id: z.string(), name: z.string(), columns: z.number(), rows: z.number(), cells: cellList })
const columns = 'id, name, columns, rows, cells'
const maxPerUser = 200

const tags = ['mosaics']
const Id = z.object({ id: z.string() })

export const mosaicRoutes: ServerPlugin = async (app, context) => {
  const { store, access, features, now } = context
  features.add('mosaic')
  const byId = cachedQuery(store, MosaicRow, `SELECT ${columns} FROM mosaics WHERE id = ?`)
  const owned = query(store, z.object({ count: z.number() }), 'SELECT count(*) AS count FROM mosaics WHERE owner = ?')
  const config = { access: { to: 'mosaic', from: 'params.id' } } as const

  /** Everyone who may see a mosaic may change it. */
  const mosaicOf = (row: z.output<typeof MosaicRow>): Mosaic => ({ ...row, meta: { canAdmin: true } })

  const get = async (id: string): Promise<Mosaic> => {
    const row = await byId.get(id)
    if (row === undefined) throw notFound()
    return mosaicOf(row)
  }

  /** New cells need streams that the caller may see; streams that the mosaic has may stay. */
  const requireValid = async (
    caller: Caller,
    body: z.output<typeof MosaicBody>,
    before: readonly { streamUid: string }[],
  ): Promise<void> => {
    const errors = layoutErrors(body)
    const known = new Set(before.map(({ streamUid }) => streamUid))
    const added = new Set(body.cells.map(({ streamUid }) => streamUid).filter((uid) => uid !== '' && !known.has(uid)))
    const rights = await access.rightsTo(caller, [...added])
    for (const [index, { streamUid }] of body.cells.entries()) {
      if (!added.has(streamUid) || rights.has(streamUid)) continue
      errors[`cells.${index}.streamUid`] = 'Unknown stream'
    }
    if (Object.keys(errors).length > 0) throw validationError(errors)
  }

  app.get(
    '/v1/mosaics',
    { config: { access: { to: 'user' } }, schema: { tags, response: { 200: Mosaics } } },
    async ({ caller }) => {
      const visible = visibleMosaics(caller)
      const sql = `SELECT ${columns} FROM mosaics WHERE ${visible.sql} ORDER BY fold(name), id`
      const rows = await store.all(MosaicRow, sql, ...visible.values)
      const uidsOf = ({ cells }: Pick<Mosaic, 'cells'>) => [...new Set(cells.map(({ streamUid }) => streamUid))]
      const rights = await access.rightsTo(caller, [...new Set(rows.flatMap(uidsOf))])
      return {
        items: rows.map((row) => ({ ...mosaicOf(row), missing: uidsOf(row).filter((uid) => !rights.has(uid)) })),
      }
    },
  )

  app.post(
    '/v1/mosaic',
    { config: { access: { to: 'user' } }, schema: { tags, body: MosaicBody, response: { 200: MosaicCreated } } },
    async (request) => {
      const { login } = signedIn(request)
      const { name, columns: width, rows, cells } = request.body
      await requireValid(request.caller, request.body, [])
      const id = newId()
      await store.transaction(async () => {
        if (((await owned.get(login))?.count ?? 0) >= maxPerUser) throw quotaReached()
        const sql =
          'INSERT INTO mosaics (id, name, owner, columns, rows, cells, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)'
        await store.run(sql, id, name, login, width, rows, JSON.stringify(cells), now())
      })
      return { id }
    },
  )

  app.post(
    '/v1/mosaic/:id',
    { config, schema: { tags, params: Id, body: MosaicBody, response: { 200: Mosaic } } },
    async ({ caller, params, body }) => {
      const { name, columns: width, rows, cells } = body
      return store.transaction(async () => {
        await requireValid(caller, body, (await get(params.id)).cells)
        const sql = 'UPDATE mosaics SET name = ?, columns = ?, rows = ?, cells = ? WHERE id = ?'
        await store.run(sql, name, width, rows, JSON.stringify(cells), params.id)
        return get(params.id)
      })
    },
  )

  app.get(
    '/v1/mosaic/:id',
    { config, schema: { tags, params: Id, querystring: LeaseQuery, response: { 200: Mosaic } } },
    async ({ caller, params, query: lease }) => {
      const mosaic = await get(params.id)
      const uids = [...new Set(mosaic.cells.map(({ streamUid }) => streamUid))]
      const found = await context.streams.view(caller, uids)
      if (lease.extend_lease === true) for (const { uid } of found) context.streams.extendLease(uid)
      return { ...mosaic, streams: found }
    },
  )

  app.delete(
    '/v1/mosaic/:id',
    { config, schema: { tags, params: Id, response: { 200: nothing } } },
    async ({ params }) => {
      await store.run('DELETE FROM mosaics WHERE id = ?', params.id)
      return {}
    },
  )
}
