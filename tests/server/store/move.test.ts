import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { moveSite, revertMove } from '../../../server/move/move.ts'
import { schema } from '../../../server/schema.ts'
import type { ExclusiveDatabase } from '../../../server/store/exclusive-database.ts'
import { openExclusiveDatabase, openExclusiveFile } from '../../../server/store/open-exclusive.ts'
import { openPostgres } from '../../../server/store/postgres/open.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { openStore } from '../../../server/store/store.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { postgresOfFile, schemaOf } from '../fixtures/database.ts'
import { connectHere } from '../fixtures/local-connection.ts'
import { contentOf, fillEveryTable } from '../fixtures/every-table.ts'
import { startServer, type Harness } from '../fixtures/harness.ts'

const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'sightline.db')
}

const postgresUrl = postgresOfFile()
const newUrl = async (): Promise<string> => schemaOf(await postgresUrl(), randomUUID())

const options: Parameters<typeof moveSite>[2] = {
  schema,
  now: () => Date.parse('2026-11-25T10:00:00.000Z'),
  signal: new AbortController().signal,
  report: () => undefined,
  onProgress: () => undefined,
}

const move = async (
  from: ExclusiveDatabase | Promise<ExclusiveDatabase>,
  to: ExclusiveDatabase | Promise<ExclusiveDatabase>,
  more: Partial<typeof options> = {},
) => {
  await using source = await from
  await using target = await to
  return await moveSite(source, target, { ...options, ...more })
}

class Interrupted extends Error {}

/** Fails once both have taken so many calls. */
const failing = (database: ExclusiveDatabase, left: { calls: number }): ExclusiveDatabase =>
  new Proxy(database, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        left.calls -= 1
        if (left.calls < 0) throw new Interrupted()
        return value(...args)
      }
    },
  })

test('the schema has every concern with tables in a server with all its plugins', async () => {
  const { context } = await startServer({ plugins: [createStreamsPlugin()] })
  const Concern = z.object({ concern: z.string(), version: z.number() })
  const made = await context.store.all(Concern, 'SELECT concern, version FROM migrations ORDER BY concern')
  const known = [...schema].map(([concern, { length }]) => ({ concern, version: length }))
  expect(made).toEqual(known.toSorted((a, b) => (a.concern < b.concern ? -1 : 1)))
})

describe.skipIf(!hasPostgres())('a site moved', () => {
  test('to PostgreSQL and back is equal, in every table', async () => {
    const [file, back, url] = [newFile(), newFile(), await newUrl()]
    await fillEveryTable(file)
    const before = contentOf(file)
    const there = await move(openExclusiveFile(file), openExclusiveDatabase(url))
    const again = await move(openExclusiveDatabase(url), openExclusiveFile(back))
    expect(contentOf(file)).toEqual(before)
    expect(contentOf(back)).toEqual(before)
    const tables = Object.keys(before).filter((name) => !['migrations', 'schema', 'sqlite_sequence'].includes(name))
    expect(there?.map(({ table }) => table)).toEqual(tables)
    expect(there?.filter(({ rows, changed }) => rows === 0 || changed > 0)).toEqual([])
    expect(again).toEqual(there)
  })

  test('has the indexes, foreign keys and triggers of a database created there', async () => {
    const [file, url, other] = [newFile(), await newUrl(), await newUrl()]
    await fillEveryTable(file)
    await move(openExclusiveFile(file), openExclusiveDatabase(url))
    const made = await openPostgres(other, schema)
    await made.close()
    const statementsOf = async (of: string) => {
      await using database = await openExclusiveDatabase(of)
      return (await database.suspend()).map((sql) => sql.replaceAll(/\bt[0-9a-f]{16}\./g, '')).toSorted()
    }
    const statements = await statementsOf(url)
    expect(statements.length).toBeGreaterThan(50)
    expect(statements).toEqual(await statementsOf(other))
  })

  test('is used by a server there, and the source is refused until the move is undone', async () => {
    const dataDir = dirname(newFile())
    const file = join(dataDir, 'sightline.db')
    const url = await newUrl()
    const here = { connect: connectHere, dataDir, plugins: [createStreamsPlugin()] }
    const there = { databaseUrl: url, dataDir, plugins: [createStreamsPlugin()] }
    const first = await startServer(here)
    await first.addUser('ann', true)
    await first.addStream('door', 'ann')
    const cookie = await first.signIn('ann')
    const share = await first.context.shares.open('door')
    const ids = async ({ context }: Harness) =>
      (await context.store.all(z.object({ id: z.number() }), 'SELECT id FROM audit_logs ORDER BY id')).map(
        ({ id }) => id,
      )
    const noted = await ids(first)
    await first.app.close()
    await move(openExclusiveFile(file), openExclusiveDatabase(url))

    const second = await startServer(there)
    expect((await second.ask('GET', '/v1/stream/door', { cookie })).body).toMatchObject({
      uid: 'door',
      status: 'paused',
    })
    expect(await second.context.shares.open('door')).toBe(share)
    await second.signIn('ann')
    expect(await ids(second)).toEqual([...noted, ...noted.map((_id, index) => noted.length + index + 1)])
    await second.app.close()

    await expect(startServer(here)).rejects.toThrow(/^The database was moved to postgres:.*"sightline migrate --undo"$/)
    {
      await using source = openExclusiveFile(file)
      expect(await revertMove(source)).toMatch(/^postgres:/)
    }
    expect(await ids(await startServer(here))).toEqual(noted)
  })

  test('is not moved while a server uses it, into a database that is not empty, or by an older version', async () => {
    const [file, other, url] = [newFile(), newFile(), await newUrl()]
    await fillEveryTable(file)
    const before = contentOf(file)
    const usingFile = await openStore(file)
    expect(() => openExclusiveFile(file)).toThrow(`A server or another command is using ${file}: stop it first`)
    await usingFile.close()

    await fillEveryTable(other)
    await expect(move(openExclusiveFile(file), openExclusiveFile(other))).rejects.toThrow(
      /^.* isn't empty \(it has \d+ tables\)/,
    )
    const older = new Map([...schema].map(([concern, all]) => [concern, all.slice(0, -1)]))
    const moveByOlder = move(openExclusiveFile(file), openExclusiveDatabase(url), { schema: older })
    await expect(moveByOlder).rejects.toThrow(/was written by a newer version \(\w+ \d, this one knows \d\)$/)
    const busyUrl = await newUrl()
    const busy = await openPostgres(busyUrl)
    await expect(openExclusiveDatabase(busyUrl)).rejects.toThrow(/is using postgres:.*: stop it first$/)
    await busy.close()
    // None of these has marked it.
    await (await openStore(file)).close()
    expect(contentOf(file)).toEqual(before)
    await move(openExclusiveFile(file), openExclusiveDatabase(url))
    await expect(move(openExclusiveFile(file), openExclusiveDatabase(url))).rejects.toThrow('already')
  })

  test('is equal after any number of interruptions', async () => {
    const [file, back, url] = [newFile(), newFile(), await newUrl()]
    await fillEveryTable(file)
    const before = contentOf(file)
    const ways: [
      () => ExclusiveDatabase | Promise<ExclusiveDatabase>,
      () => ExclusiveDatabase | Promise<ExclusiveDatabase>,
    ][] = [
      [() => openExclusiveFile(file), () => openExclusiveDatabase(url)],
      [() => openExclusiveDatabase(url), () => openExclusiveFile(back)],
    ]
    for (const [from, to] of ways) {
      let times = 0
      for (let calls = 60, isOver = false; !isOver; calls += 60) {
        await using source = await from()
        await using target = await to()
        const left = { calls }
        const moving = moveSite(failing(source, left), failing(target, left), options)
        isOver = await moving.then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof Interrupted)) throw error
            times += 1
            return false
          },
        )
      }
      expect(times).toBeGreaterThan(4)
    }
    expect(contentOf(file)).toEqual(before)
    expect(contentOf(back)).toEqual(before)
  })

  test('keeps unusual values, and reports those that PostgreSQL can’t store', async () => {
    const [file, back, url] = [newFile(), newFile(), await newUrl()]
    await fillEveryTable(file)
    const db = openDatabase(file)
    const most = 9_223_372_036_854_775_807n
    const sample = db.prepare("INSERT INTO samples (node, time, cpu, memory) VALUES ('', ?, ?, ?)")
    sample.setReadBigInts(true)
    sample.run(most, Infinity, -Infinity)
    sample.run(-most, Number.MIN_VALUE, -0)
    const fact = db.prepare('INSERT INTO stream_facts (name, value) VALUES (?, ?)')
    fact.run('lone \uD800 surrogate', '\uDFFF')
    fact.run('', '')
    db.prepare("INSERT INTO reset_codes VALUES (x'', ?, 0, 0)").run(new Uint8Array(300_000).fill(255))
    db.close()
    const before = contentOf(file)
    const odd = openDatabase(file)
    odd.exec("INSERT INTO stream_facts (name, value) VALUES ('bytes', CAST(x'61ff62' AS TEXT))")
    odd.prepare('INSERT INTO stream_facts (name, value) VALUES (?, ?)').run('a\0b', '\0')
    odd.close()

    const lines: string[] = []
    await move(openExclusiveFile(file), openExclusiveDatabase(url), { report: (line) => lines.push(line) })
    const warning = 'stream_facts: 1 rows had NUL characters: PostgreSQL stores U+FFFD instead'
    expect(lines).toContain(warning)
    await move(openExclusiveDatabase(url), openExclusiveFile(back))
    const again = openDatabase(back)
    const values = again.prepare("DELETE FROM stream_facts WHERE name IN ('bytes', 'a\uFFFDb') RETURNING value").all()
    again.close()
    expect(values).toEqual([{ value: '\uFFFD' }, { value: 'a\uFFFDb' }])
    expect(contentOf(back)).toEqual(before)
  })

  test('with logins that are equal in PostgreSQL is not moved, and the error names them', async () => {
    const [file, url] = [newFile(), await newUrl()]
    await fillEveryTable(file)
    const db = openDatabase(file)
    const copy = `INSERT INTO users SELECT ?, '', full_name, language, is_admin, max_stream_creation, is_managed,
      is_blocked, password_hash, must_change_password, created_at, ?, 0, 0 FROM users LIMIT 1`
    for (const login of ['Женя', 'ЖЕНЯ']) db.prepare(copy).run(login, login)
    db.close()
    await expect(move(openExclusiveFile(file), openExclusiveDatabase(url))).rejects.toThrow(
      /Key \(login\)=\(Женя\) already exists/,
    )
  })
})
