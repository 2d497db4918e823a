import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { schema } from '../../../server/schema.ts'
import type { Connect } from '../../../server/store/engine.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { openStore } from '../../../server/store/store.ts'
import { connectHere } from '../fixtures/local-connection.ts'
import { expectKnown, layRelease, releases, startAfter } from '../fixtures/release.ts'
import { newFolder } from '../fixtures/tape.ts'

const databaseIn = (dataDir: string): string => join(dataDir, 'sightline.db')

const rowsOf = (file: string, sql: string): unknown[] => {
  const db = openDatabase(file, true)
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

const Named = z.object({ name: z.string() })
const namesIn = (file: string): string[] =>
  rowsOf(file, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").map(
    (row) => z.parse(Named, row).name,
  )

/**
 * The columns, keys, indexes and triggers of all tables. A trigger of 2026-11-23 names a column without its table,
 * which only PostgreSQL distinguishes.
 */
const shapeOf = (file: string): unknown[] => [
  ...rowsOf(
    file,
    `SELECT t.name AS name, c.name AS column_name, c.type, c."notnull", c.dflt_value, c.pk
     FROM sqlite_master AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' ORDER BY t.name, c.name`,
  ),
  ...rowsOf(
    file,
    `SELECT t.name AS name, k."table", k."from", k."to", k.on_update, k.on_delete
     FROM sqlite_master AS t, pragma_foreign_key_list(t.name) AS k WHERE t.type = 'table' ORDER BY t.name, k."from"`,
  ),
  ...rowsOf(
    file,
    `SELECT name, replace(sql, 'audit_shares.count', 'count') AS sql FROM sqlite_master
     WHERE type IN ('index', 'trigger') ORDER BY name`,
  ),
]

const readNew = async () => {
  const file = databaseIn(newFolder())
  const store = await openStore(file, connectHere, schema)
  await store.close()
  return { names: namesIn(file), shape: shapeOf(file) }
}
let known: ReturnType<typeof readNew> | undefined
/** The tables of a new database. */
const newTables = (): ReturnType<typeof readNew> => (known ??= readNew())
afterAll(() => {
  known = undefined
})

test('there is a site of each version that was installed anywhere', () => {
  expect(releases.map(({ name }) => name)).toEqual([
    '0.1.0-2026-11-22',
    '0.1.0-2026-11-23',
    '1.0.0-2026-11-25',
    '1.0.0-2026-11-26',
    '1.0.0',
  ])
  const released = readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)(?!\S| \(unreleased\))/gm)
  const names = releases.map(({ name }) => name)
  expect([...released].flatMap(([, version = '']) => (names.includes(version) ? [] : [version]))).toEqual([])
})

describe.each(releases)('a site of $name', (release) => {
  test('starts under this version with all that was in it', async () => {
    const dataDir = layRelease(release)
    const video = await startAfter(release, { dataDir, connect: connectHere })
    await video.site.untilRepacked()
    await expectKnown(video, release)
    await video.app.close()
    const file = databaseIn(dataDir)
    expect(rowsOf(file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(rowsOf(file, 'PRAGMA foreign_key_check')).toEqual([])
    expect(shapeOf(file)).toEqual((await newTables()).shape)
    expect(globSync('archive/**/*.m4s', { cwd: dataDir })).toEqual([])
  })
})

const sha256 = (file: string): string => hash('sha256', readFileSync(file))

/** Makes the last migration of a database fail: a table is there already. Returns what removes it. */
const obstruct = (file: string, name: string) => {
  const run = (sql: string) => {
    const db = openDatabase(file)
    db.exec(sql)
    db.close()
  }
  run(`CREATE TABLE ${name} (obstacle TEXT)`)
  return () => run(`DROP TABLE ${name}`)
}

describe.each(releases.filter(({ name }) => name !== releases.at(-1)?.name))('a migration of $name', (release) => {
  test('that fails leaves the database as it was, byte for byte, and the next start goes on', async () => {
    const dataDir = layRelease(release)
    const file = databaseIn(dataDir)
    const names = new Set(namesIn(file))
    const last = (await newTables()).names.findLast((name) => !names.has(name)) ?? ''
    const clear = obstruct(file, last)
    const before = sha256(file)
    await expect(startAfter(release, { dataDir, connect: connectHere })).rejects.toThrow(
      new RegExp(String.raw`^The database was not changed: step \d+ of \w+ failed \(table ${last} already exists\)$`),
    )
    expect([sha256(file), existsSync(`${file}-wal`)]).toEqual([before, false])
    clear()
    const { app } = await startAfter(release, { dataDir, connect: connectHere })
    await app.close()
    expect(shapeOf(file)).toEqual((await newTables()).shape)
  })
})

test('a migration that fills the disk leaves the database as it was', async () => {
  const [release] = releases
  if (release === undefined) throw new Error('no release')
  const dataDir = layRelease(release)
  const file = databaseIn(dataDir)
  const before = sha256(file)
  const pages = statSync(file).size / 4096
  const connect: Connect = (path, isReader) => {
    const connection = connectHere(path, isReader)
    const sql = `PRAGMA max_page_count = ${pages + 20}`
    return {
      ...connection,
      call: async (call) => {
        await connection.call({ how: 'exec', sql, values: [], isInTransaction: false })
        return connection.call(call)
      },
    }
  }
  await expect(startAfter(release, { dataDir, connect })).rejects.toThrow(
    /^The database was not changed: step \d+ of \w+ failed \(database or disk is full\)$/,
  )
  expect(sha256(file)).toBe(before)
})
