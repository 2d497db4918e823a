import * as z from 'zod/mini'
import { Cell, Mosaic, MosaicCreated, MosaicDraft, Mosaics } from '../../src/api/contract/mosaic.ts'
import { LeaseQuery } from '../../src/api/contract/stream.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { visibleMosaics, type Caller } from '../access/access.ts'
import { signedIn } from '../access/gate.ts'
import { newId } from '../access/secrets.ts'
import type { Room } from '../context.ts'
import { notFound, quotaReached, validationError } from '../http/api-error.ts'
import { migrate, query } from '../store/database.ts'
import { layoutErrors } from './layout.ts'

/** A mosaic of a deleted owner stays for administrators; a tile of a removed stream stays. */
const mosaicsSteps: readonly string[] = [
  `CREATE TABLE mosaics (
    id TEXT PRIMARY KEY, name TEXT NOT NULL,
    owner TEXT COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE SET NULL,
    columns INTEGER NOT NULL, rows INTEGER NOT NULL, cells TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX mosaics_owner ON mosaics (owner);`,
]

const cellList = z.codec(z.string(), z.array(Cell), {
  decode: (text) => z.parse(z.array(Cell), JSON.parse(text)),
  encode: (cells) => JSON.stringify(cells),
})
const MosaicRow = z.object({ id: z.string(), name: z.string(), columns: z.number(), rows: z.number(), cells: cellList })
const columns = 'id, name, columns, rows, cells'
const perUser = 200

const tags = ['mosaics']
const Id = z.object({ id: z.string() })

export const mosaicRoutes: Room = (app, context) => {
  const { db, access, features, now } = context
  migrate(db, 'mosaics', mosaicsSteps)
  features.add('mosaic')
  const byId = query(db, MosaicRow, `SELECT ${columns} FROM mosaics WHERE id = ?`)
  const owned = query(db, z.object({ count: z.number() }), 'SELECT count(*) AS count FROM mosaics WHERE owner = ?')
  const config = { access: { to: 'mosaic', from: 'params.id' } } as const

  /** Whoever may see a mosaic may change it. */
  const shown = (row: z.output<typeof MosaicRow>): Mosaic => ({ ...row, meta: { canAdmin: true } })

  const get = (id: string): Mosaic => {
    const row = byId.get(id)
    if (row === undefined) throw notFound()
    return shown(row)
  }

  /** New tiles need streams that the caller may see; existing tiles stay. */
  const requireFit = (
    caller: Caller,
    draft: z.output<typeof MosaicDraft>,
    before: readonly { streamUid: string }[],
  ): void => {
    const errors = layoutErrors(draft)
    const known = new Set(before.map(({ streamUid }) => streamUid))
    for (const [index, { streamUid }] of draft.cells.entries()) {
      if (streamUid === '' || known.has(streamUid) || access.streamRights(caller, streamUid) !== undefined) continue
      errors[`cells.${index}.streamUid`] = 'Unknown stream'
    }
    if (Object.keys(errors).length > 0) throw validationError(errors)
  }

  app.get(
    '/v1/mosaics',
    { config: { access: { to: 'user' } }, schema: { tags, response: { 200: Mosaics } } },
    async ({ caller }) => {
      const visible = visibleMosaics(caller)
      const rows = query(db, MosaicRow, `SELECT ${columns} FROM mosaics WHERE ${visible.sql} ORDER BY fold(name), id`)
      const known = new Map<string, boolean>()
      const isMissing = (uid: string): boolean => {
        const missing = known.get(uid) ?? access.streamRights(caller, uid) === undefined
        known.set(uid, missing)
        return missing
      }
      return {
        items: rows
          .all(...visible.values)
          .map(shown)
          .map((mosaic) => ({
            ...mosaic,
            missing: [...new Set(mosaic.cells.map(({ streamUid }) => streamUid))].filter(isMissing),
          })),
      }
    },
  )

  app.post(
    '/v1/mosaic',
    { config: { access: { to: 'user' } }, schema: { tags, body: MosaicDraft, response: { 200: MosaicCreated } } },
    async (request) => {
      const { login } = signedIn(request)
      const { name, columns: width, rows, cells } = request.body
      requireFit(request.caller, request.body, [])
      if ((owned.get(login)?.count ?? 0) >= perUser) throw quotaReached()
      const id = newId()
      db.prepare(
        'INSERT INTO mosaics (id, name, owner, columns, rows, cells, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ).run(id, name, login, width, rows, JSON.stringify(cells), now())
      return { id }
    },
  )

  app.post(
    '/v1/mosaic/:id',
    { config, schema: { tags, params: Id, body: MosaicDraft, response: { 200: Mosaic } } },
    async ({ caller, params, body }) => {
      requireFit(caller, body, get(params.id).cells)
      db.prepare('UPDATE mosaics SET name = ?, columns = ?, rows = ?, cells = ? WHERE id = ?').run(
        body.name,
        body.columns,
        body.rows,
        JSON.stringify(body.cells),
        params.id,
      )
      return get(params.id)
    },
  )

  app.get(
    '/v1/mosaic/:id',
    { config, schema: { tags, params: Id, querystring: LeaseQuery, response: { 200: Mosaic } } },
    async ({ caller, params, query: asked }) => {
      const mosaic = get(params.id)
      const uids = [...new Set(mosaic.cells.map(({ streamUid }) => streamUid))]
      const found = uids.flatMap((uid) => context.streams.view(caller, uid) ?? [])
      if (asked.extend_lease === true) for (const { uid } of found) context.streams.extendLease(uid)
      return { ...mosaic, streams: found }
    },
  )

  app.delete(
    '/v1/mosaic/:id',
    { config, schema: { tags, params: Id, response: { 200: nothing } } },
    async ({ params }) => {
      db.prepare('DELETE FROM mosaics WHERE id = ?').run(params.id)
      return {}
    },
  )
}
