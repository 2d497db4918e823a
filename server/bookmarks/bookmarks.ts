import * as z from 'zod/mini'
import { Bookmark, BookmarkBody, BookmarkPatch, Bookmarks } from '../../src/api/contract/system.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { signedIn } from '../access/gate.ts'
import { newId } from '../access/secrets.ts'
import type { ServerPlugin } from '../context.ts'
import { notFound, quotaReached } from '../http/api-error.ts'
import { query } from '../store/store.ts'

export const bookmarksSteps: readonly string[] = [
  `CREATE TABLE bookmarks (
    id TEXT PRIMARY KEY,
    login TEXT NOT NULL COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    time INTEGER NOT NULL, note TEXT NOT NULL
  ) STRICT;
  CREATE INDEX bookmarks_login ON bookmarks (login, time);
  CREATE INDEX bookmarks_uid ON bookmarks (uid);`,
]

const BookmarkRow = z.object({ id: z.string(), streamId: z.string(), time: z.number(), note: z.string() })
const columns = 'id, uid AS streamId, time, note'
const maxPerUser = 5000

const tags = ['bookmarks']
const config = { access: { to: 'user' } } as const
const Id = z.object({ id: z.string() })

export const bookmarkRoutes: ServerPlugin = async (app, { store, access, features }) => {
  features.add('bookmarks')
  const byLogin = query(store, BookmarkRow, `SELECT ${columns} FROM bookmarks WHERE login = ? ORDER BY time DESC, id`)
  const byId = query(store, BookmarkRow, `SELECT ${columns} FROM bookmarks WHERE login = ? AND id = ?`)
  const owned = query(store, z.object({ count: z.number() }), 'SELECT count(*) AS count FROM bookmarks WHERE login = ?')

  app.get('/v1/bookmarks', { config, schema: { tags, response: { 200: Bookmarks } } }, async (request) => {
    const items = await byLogin.all(signedIn(request).login)
    const rights = await access.rightsTo(request.caller, [...new Set(items.map(({ streamId }) => streamId))])
    return { items: items.filter(({ streamId }) => rights.get(streamId)?.canViewArchive === true) }
  })

  app.post(
    '/v1/bookmarks',
    { config, schema: { tags, body: BookmarkBody, response: { 200: Bookmark } } },
    async (request) => {
      const { login } = signedIn(request)
      const { streamId, time, note } = request.body
      const id = newId()
      await store.transaction(async () => {
        await access.require(request.caller, { to: 'viewArchive', uid: streamId })
        if (((await owned.get(login))?.count ?? 0) >= maxPerUser) throw quotaReached()
        const sql = 'INSERT INTO bookmarks (id, login, uid, time, note) VALUES (?, ?, ?, ?, ?)'
        await store.run(sql, id, login, streamId, time, note)
      })
      return { id, streamId, time, note }
    },
  )

  app.patch(
    '/v1/bookmark/:id',
    { config, schema: { tags, params: Id, body: BookmarkPatch, response: { 200: Bookmark } } },
    async (request) => {
      const { login } = signedIn(request)
      const before = await byId.get(login, request.params.id)
      if (before === undefined) throw notFound()
      const { time = before.time, note = before.note } = request.body
      await store.run('UPDATE bookmarks SET time = ?, note = ? WHERE id = ?', time, note, before.id)
      return { ...before, time, note }
    },
  )

  app.delete(
    '/v1/bookmark/:id',
    { config, schema: { tags, params: Id, response: { 200: nothing } } },
    async (request) => {
      const { login } = signedIn(request)
      const sql = 'DELETE FROM bookmarks WHERE login = ? AND id = ?'
      const { changes } = await store.run(sql, login, request.params.id)
      if (changes === 0) throw notFound()
      return {}
    },
  )
}
