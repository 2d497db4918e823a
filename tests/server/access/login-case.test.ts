import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { accessSteps } from '../../../server/access/tables.ts'
import type { ServerOptions } from '../../../server/app.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { oidcSteps } from '../../../server/oidc/tables.ts'
import { schema } from '../../../server/schema.ts'
import { openDatabaseOf } from '../../../server/store/open.ts'
import type { Schema } from '../../../server/store/migration.ts'
import { postgresOfFile, runSql, schemaOf } from '../fixtures/database.ts'
import { startServer } from '../fixtures/harness.ts'
import { connectHere } from '../fixtures/local-connection.ts'
import { newFolder } from '../fixtures/tape.ts'

const postgresUrl = postgresOfFile()
const newUrl = async (): Promise<string> => schemaOf(await postgresUrl(), randomUUID())

type Database = Pick<ServerOptions, 'databaseUrl' | 'connect'>

const databases: [name: string, newDatabase: () => Promise<Database>][] = [
  ['SQLite', async () => ({ connect: connectHere })],
  ...(hasPostgres()
    ? [['PostgreSQL', async () => ({ databaseUrl: await newUrl() })] satisfies (typeof databases)[number]]
    : []),
]

const routes: ServerPlugin = (app) => {
  app.get('/v1/test/:uid', { config: { access: { to: 'view', from: 'params.uid' } } }, async () => ({}))
}

describe.each(databases)('on %s', (_name, newDatabase) => {
  test('a login that changes only its case keeps its rights, and what is withdrawn then stays so', async () => {
    const server = await startServer({ plugins: [routes], ...(await newDatabase()) })
    const { ask, context } = server
    await server.addUser('ann', true)
    await server.addUser('alice')
    for (const uid of ['door', 'yard']) await server.addStream(uid)
    const [ann, alice] = [await server.signIn('ann'), await server.signIn('alice')]
    const grant = (login: string, uids: readonly string[]) =>
      ask('POST', `/v1/user/${login}/permissions`, {
        cookie: ann,
        body: { permissions: uids.map((uid) => ({ uid, canView: true })) },
      })
    const seen = async () => {
      const answers = ['door', 'yard'].map((uid) => ask('GET', `/v1/test/${uid}`, { cookie: alice }))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    const rename = (name: string) => ask('PATCH', '/v1/user', { cookie: alice, body: { name } })

    await grant('alice', ['door'])
    await context.store.run("INSERT INTO oidc_permissions VALUES ('alice', 'yard', 1, 0, 0)")
    expect((await rename('Alice')).body).toMatchObject({ name: 'Alice' })
    expect(await seen()).toEqual([200, 200])
    expect((await ask('GET', '/v1/user/Alice/permissions', { cookie: ann })).body).toMatchObject({
      permissions: [{ uid: 'door' }],
    })
    const Login = z.object({ login: z.string() })
    const logins = ['stream_permissions', 'oidc_permissions', 'sessions'].map((table) =>
      context.store.all(Login, `SELECT login FROM ${table} WHERE login = 'alice'`),
    )
    expect(await Promise.all(logins)).toEqual([[{ login: 'Alice' }], [{ login: 'Alice' }], [{ login: 'Alice' }]])

    await grant('Alice', [])
    await context.store.run("DELETE FROM oidc_permissions WHERE login = 'Alice'")
    expect(await seen()).toEqual([404, 404])
    expect((await rename('alice')).status).toBe(200)
    expect(await seen()).toEqual([404, 404])
  })

  test('the upgrade keeps the rights of the present spelling alone', async () => {
    const database = await newDatabase()
    const file = join(newFolder(), 'a.db')
    const open = async (tables: Schema) => {
      const store = await openDatabaseOf(file, database, tables)
      onTestFinished(store.close)
      return store
    }
    const before = await open(new Map([...schema, ...stepsBefore]))
    const { databaseUrl } = database
    // As versions before had it in PostgreSQL; 18 refuses the foreign key.
    for (const table of databaseUrl === undefined ? [] : ['stream_permissions', 'oidc_permissions']) {
      const sql = `ALTER TABLE ${table} DROP CONSTRAINT ${table}_login_fkey, ALTER COLUMN login TYPE TEXT COLLATE "C"`
      await runSql(databaseUrl ?? '', sql)
    }
    for (const login of ['Alice', 'bob'])
      await before.run(
        `INSERT INTO users (id, login, email, full_name, language, is_admin, is_blocked, is_managed,
           max_stream_creation, password_hash, must_change_password, created_at)
         VALUES (?1, ?1, '', '', '', 0, 0, 0, 0, '', 0, 0)`,
        login,
      )
    for (const uid of ['door', 'yard'])
      await before.run(
        `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand,
           is_paused, owner, created_at, needle) VALUES (?, '', '', '[]', '', '', 0, 0, 0, 1, NULL, 0, '')`,
        uid,
      )
    const rows = `('alice', 'door', 1, 1, 1), ('Alice', 'door', 1, 0, 0), ('ALICE', 'yard', 1, 1, 0),
      ('bob', 'door', 1, 1, 0)`
    const columns = 'login, uid, can_view, can_view_archive, can_admin'
    for (const table of ['stream_permissions', 'oidc_permissions'])
      await before.run(`INSERT INTO ${table} (${columns}) VALUES ${rows}`)
    await before.run("UPDATE stream_permissions SET can_download = 0 WHERE login = 'bob'")
    await before.close()

    const store = await open(schema)
    const Row = z.record(z.string(), z.unknown())
    const after = (table: string) => store.all(Row, `SELECT * FROM ${table} ORDER BY login`)
    const alice = { login: 'Alice', uid: 'door', can_view: 1, can_view_archive: 0, can_admin: 0 }
    const bob = { login: 'bob', uid: 'door', can_view: 1, can_view_archive: 1, can_admin: 0 }
    expect(await after('oidc_permissions')).toEqual([alice, bob])
    expect(await after('stream_permissions')).toEqual([
      { ...alice, can_download: 1 },
      { ...bob, can_download: 0 },
    ])
    await expect(
      store.run(`INSERT INTO stream_permissions (${columns}) VALUES ('ALICE', 'door', 1, 1, 1)`),
    ).rejects.toThrow(/UNIQUE|duplicate/)
  })
})

/** The steps of versions whose permissions distinguished the case of logins. */
const stepsBefore = [
  ['access', accessSteps.slice(0, 6)],
  ['oidc', oidcSteps.slice(0, 3)],
] as const

const otherCollations = `SELECT conname AS name
  FROM pg_constraint, unnest(conkey, confkey) AS pair (own, other)
  JOIN pg_attribute a ON a.attnum = own JOIN pg_attribute b ON b.attnum = other
  WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
    AND a.attrelid = conrelid AND b.attrelid = confrelid AND a.attcollation <> b.attcollation`

test.skipIf(!hasPostgres())('no step makes a foreign key between collations, which PostgreSQL 18 refuses', async () => {
  const databaseUrl = await newUrl()
  for (const tables of [new Map([...schema, ...stepsBefore]), schema]) {
    const store = await openDatabaseOf('', { databaseUrl }, tables)
    onTestFinished(store.close)
    expect(await store.all(z.object({ name: z.string() }), otherCollations)).toEqual([])
  }
})
