import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { schema as siteSchema } from '../../../server/schema.ts'
import { isDiskError } from '../../../server/store/disk-error.ts'
import { StoreAway, StoreError, UnusableDatabase, type Connection } from '../../../server/store/connection.ts'
import { sqliteEngine } from '../../../server/store/engine.ts'
import { postgresOfFile, schemaOf } from '../fixtures/database.ts'
import { connectLocal } from '../fixtures/local-connection.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import type { Schema } from '../../../server/store/migration.ts'
import { connectPostgres } from '../../../server/store/postgres/connection.ts'
import { openPostgres } from '../../../server/store/postgres/open.ts'
import { begin, beginMigration } from '../../../server/store/postgres/prelude.ts'
import { openStore, openStoreOn, query, type Store } from '../../../server/store/store.ts'
import { connectWorker } from '../../../server/store/worker-connection.ts'

const Note = z.object({ note: z.string() })
const schema = new Map([
  ['notes', ['CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT NOT NULL UNIQUE) STRICT']],
  ['kinds', ['CREATE TABLE kinds (n INTEGER, r REAL, t TEXT, b BLOB)']],
])
const add = (store: Store, note: string | null) => store.run('INSERT INTO notes (note) VALUES (?)', note)
const notes = async (store: Store): Promise<string[]> =>
  (await store.all(Note, 'SELECT note FROM notes ORDER BY id')).map(({ note }) => note)
const rejected = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return { resolved: await work }
  } catch (error) {
    return error
  }
}

const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'a.db')
}

const opened = async (store: Promise<Store>): Promise<Store> => {
  const ready = await store
  onTestFinished(ready.close)
  return ready
}

type Kind = [name: string, open: () => Promise<Store>]

const files: Kind[] = [
  ['a file', () => opened(openStore(newFile(), undefined, schema))],
  ['memory', () => opened(openStore(':memory:', undefined, schema))],
  [
    'a writer on the same thread',
    () => {
      const file = newFile()
      const db = openDatabase(file)
      const connect = (path: string, isReader: boolean) => (isReader ? connectWorker(path, true) : connectLocal(db))
      const store = opened(openStore(file, connect, schema))
      onTestFinished(() => db.close())
      return store
    },
  ],
]

const postgresUrl = postgresOfFile()
const newUrl = async (): Promise<string> => schemaOf(await postgresUrl(), randomUUID())
const servers: Kind[] = hasPostgres() ? [['PostgreSQL', async () => opened(openPostgres(await newUrl(), schema))]] : []

describe.each([...files, ...servers])('a store on %s', (name, open) => {
  test('keeps every kind of value, and answers parsed rows', async () => {
    const store = await open()
    const { changes } = await store.run('INSERT INTO kinds VALUES (?, ?, ?, ?)', 7n, 0.5, 'ü', new Uint8Array([1, 2]))
    const Kinds = z.object({ n: z.number(), r: z.number(), t: z.string(), b: z.instanceof(Uint8Array) })
    const kinds = query(store, Kinds, 'SELECT n, r, t, b FROM kinds WHERE n = ?')
    expect({ changes, row: await kinds.get(7), rows: await kinds.all(7), none: await kinds.get(null) }).toEqual({
      changes: 1,
      row: { n: 7, r: 0.5, t: 'ü', b: new Uint8Array([1, 2]) },
      rows: [{ n: 7, r: 0.5, t: 'ü', b: new Uint8Array([1, 2]) }],
      none: undefined,
    })
    const Folded = z.object({ text: z.string() })
    expect(await store.get(Folded, 'SELECT fold(?) AS text', 'ÄЖ')).toEqual({ text: 'äж' })
    expect(await store.get(Note, 'INSERT INTO notes (note) VALUES (?) RETURNING note', 'x')).toEqual({ note: 'x' })
    await expect(store.get(z.object({ note: z.number() }), 'SELECT note FROM notes')).rejects.toThrow('number')
  })

  test('a thousand concurrent writes run in the order of the calls, and each sees the earlier ones', async () => {
    const store = await open()
    const texts = Array.from({ length: 1000 }, (_each, index) => `note ${index}`)
    const Count = z.object({ count: z.number() })
    const seen = await Promise.all(
      texts.map(async (text, index) => {
        await add(store, text)
        const found = await store.get(Count, 'SELECT count(*) AS count FROM notes')
        return (found?.count ?? 0) > index
      }),
    )
    expect({ seen: new Set(seen), kept: await notes(store) }).toEqual({ seen: new Set([true]), kept: texts })
  })

  test('a transaction is all or nothing, sees its own writes, and keeps other writes out', async () => {
    const store = await open()
    const held = Promise.withResolvers<void>()
    const inside = Promise.withResolvers<void>()
    const first = store.transaction(async () => {
      await add(store, 'one')
      inside.resolve()
      await held.promise
      await add(store, 'two')
      return notes(store)
    })
    await inside.promise
    const other = add(store, 'three')
    const third = store.transaction(async () => add(store, 'four'))
    held.resolve()
    expect(await first).toEqual(['one', 'two'])
    await Promise.all([other, third])
    const lost = store.transaction(async () => {
      await add(store, 'lost')
      throw new Error('no')
    })
    await expect(lost).rejects.toThrow('no')
    expect(await notes(store)).toEqual(['one', 'two', 'three', 'four'])
  })

  test('reads outside a transaction don’t see its writes while it is open', async () => {
    const store = await open()
    const [inside, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const writing = store.transaction(async () => {
      await add(store, 'one')
      inside.resolve()
      if (name !== 'memory') await read.promise
    })
    await inside.promise
    const before = await notes(store)
    read.resolve()
    await writing
    // In memory there is one connection alone, and the read waits.
    expect({ before, after: await notes(store) }).toEqual({
      before: name === 'memory' ? ['one'] : [],
      after: ['one'],
    })
  })

  test('a nested transaction rolls back alone, and a failed write undoes only itself', async () => {
    const store = await open()
    await store.transaction(async () => {
      await add(store, 'one')
      const inner = store.transaction(async () => {
        await add(store, 'two')
        await store.transaction(async () => add(store, 'three'))
        throw new Error('no')
      })
      await expect(inner).rejects.toThrow('no')
      await expect(add(store, 'one')).rejects.toThrow(
        /UNIQUE constraint failed: notes.note|duplicate key value violates unique constraint "notes_note_key"/,
      )
      await add(store, 'four')
    })
    expect(await notes(store)).toEqual(['one', 'four'])
  })

  test('a call that a transaction did not await is outside it, once it has ended', async () => {
    const store = await open()
    const late = Promise.withResolvers<void>()
    let left: Promise<unknown> = Promise.resolve()
    await store.transaction(async () => {
      left = late.promise.then(() => add(store, 'late'))
      await add(store, 'one')
    })
    await add(store, 'two')
    late.resolve()
    await left
    expect(await notes(store)).toEqual(['one', 'two', 'late'])
  })

  test('checks and writes of a transaction are atomic, however many run at once', async () => {
    const store = await open()
    const Count = z.object({ count: z.number() })
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_each, index) =>
        store.transaction(async () => {
          const { count = 0 } = (await store.get(Count, 'SELECT count(*) AS count FROM notes')) ?? {}
          if (count >= 5) return false
          await add(store, `note ${index}`)
          return true
        }),
      ),
    )
    expect(taken.filter(Boolean)).toHaveLength(5)
    expect(await notes(store)).toHaveLength(5)
  })

  test('closing waits for earlier calls, and rejects later ones', async () => {
    const store = await open()
    const asked = Promise.all([add(store, 'one'), store.transaction(async () => add(store, 'two'))])
    const closed = store.close()
    await asked
    await closed
    expect(store.isOpen()).toBe(false)
    await expect(add(store, 'three')).rejects.toThrow('The store is closed')
    await expect(store.transaction(async () => undefined)).rejects.toThrow('The store is closed')
    await expect(notes(store)).rejects.toThrow('The store is closed')
  })
})

type Database = [name: string, newDatabase: () => Promise<(tables: Schema) => Promise<Store>>]

const newFileDatabase = async () => {
  const file = newFile()
  return (tables: Schema) => openStore(file, undefined, tables)
}
const newPostgresDatabase = async () => {
  const url = await newUrl()
  return (tables: Schema) => openPostgres(url, tables)
}
const databases: Database[] = [
  ['a file', newFileDatabase],
  ...(hasPostgres() ? [['PostgreSQL', newPostgresDatabase] satisfies Database] : []),
]

describe.each(databases)('the migrations of %s', (_name, newDatabase) => {
  test('run each step once, roll back as a whole if one fails, and refuse a newer database', async () => {
    const open = await newDatabase()
    const Version = z.object({ concern: z.string(), version: z.number() })
    const migrate = async (...tables: [concern: string, steps: string[]][]) => {
      const store = await open(new Map(tables))
      const versions = await store.all(Version, 'SELECT concern, version FROM migrations ORDER BY concern')
      await store.close()
      return versions
    }
    const [first, second] = ['CREATE TABLE a (x INTEGER)', 'ALTER TABLE a ADD COLUMN y INTEGER; SELECT 1']
    await expect(migrate(['b', []], ['a', [first, 'NONSENSE']])).rejects.toThrow('syntax error')
    expect(await migrate()).toEqual([])
    await migrate(['a', [first]])
    await migrate(['a', [first, second]])
    expect(await migrate(['a', [first, second]], ['b', []])).toEqual([
      { concern: 'a', version: 2 },
      { concern: 'b', version: 0 },
    ])
    const newer = await rejected(migrate(['a', [first]]))
    expect(newer).toBeInstanceOf(UnusableDatabase)
    expect(newer).toMatchObject({ message: 'The database was written by a newer version (a 2, this one knows 1)' })
  })
})

describe.each(files)('a store on %s', (_name, open) => {
  test('an error of the disk differs from others', async () => {
    const store = await open()
    await store.run('PRAGMA query_only = ON')
    const full = await rejected(add(store, 'lost'))
    const undone = await rejected(store.transaction(async () => add(store, 'lost')))
    await store.run('PRAGMA query_only = OFF')
    const wrong = await rejected(add(store, null))
    expect([full, undone, wrong].map(isDiskError)).toEqual([true, true, false])
    expect(wrong).toMatchObject({ errcode: 1299, message: 'NOT NULL constraint failed: notes.note' })
    await add(store, 'kept')
    expect(await notes(store)).toEqual(['kept'])
  })

  test('a full disk rolls the transaction back, and none of its later writes run', async () => {
    const store = await open()
    const Pages = z.object({ page_count: z.number() })
    const { page_count: pages = 0 } = (await store.get(Pages, 'PRAGMA page_count')) ?? {}
    await store.get(z.object({}), `PRAGMA max_page_count = ${pages + 2}`)
    const over = rejected(
      store.transaction(async () => {
        await add(store, 'one')
        const full = await rejected(add(store, 'x'.repeat(100_000)))
        expect(full).toMatchObject({ errcode: 13 })
        await add(store, 'after')
      }),
    )
    expect(await over).toMatchObject({ message: 'The transaction was rolled back' })
    expect(await notes(store)).toEqual([])
  })
})

test('a file is readable by its owner only, and a file that is no database fails at once', async () => {
  const file = newFile()
  const store = await openStore(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await store.close()
  const refused = await rejected(openStore(import.meta.filename))
  expect(refused).toBeInstanceOf(UnusableDatabase)
  expect(refused).toMatchObject({ message: "The database can't be read: file is not a database" })
})

/** A store, and the threads that it started. */
const watched = async () => {
  const threads: ReturnType<typeof connectWorker>[] = []
  const connect = (file: string, isReader: boolean) => {
    const thread = connectWorker(file, isReader)
    threads.push(thread)
    return thread
  }
  return { threads, store: await opened(openStore(newFile(), connect, schema)) }
}

test('slow reads delay neither writes nor other reads', async () => {
  const released = Promise.withResolvers<void>()
  const held: Connection[] = []
  const connect = (file: string, isReader: boolean): Connection => {
    const thread = connectWorker(file, isReader)
    if (!isReader || held.length === 3) return thread
    const slow: Connection = {
      ...thread,
      call: async (call) => {
        await released.promise
        return thread.call(call)
      },
      pending: () => 1,
    }
    held.push(slow)
    return slow
  }
  const store = await opened(openStore(newFile(), connect, schema))
  const slow = [notes(store), notes(store), notes(store)]
  await add(store, 'one')
  expect({ held: held.length, notes: await notes(store) }).toEqual({ held: 3, notes: ['one'] })
  released.resolve()
  expect(await Promise.all(slow)).toEqual([['one'], ['one'], ['one']])
})

test('the calls of a reader that dies fail; the next call gets another reader', async () => {
  const { store, threads } = await watched()
  await add(store, 'kept')
  const reading = rejected(notes(store))
  await threads.at(-1)?.kill()
  expect(await reading).toEqual(new StoreError('The thread of the database ended'))
  expect({ notes: await notes(store), threads: threads.length }).toEqual({ notes: ['kept'], threads: 3 })
})

test('a writer that dies rolls its transaction back, and the next one does not continue it', async () => {
  const { store, threads } = await watched()
  await add(store, 'kept')
  const torn = store.transaction(async () => {
    await add(store, 'torn')
    await threads[0]?.kill()
    await rejected(add(store, 'never'))
    await add(store, 'neither')
  })
  expect(await rejected(torn)).toEqual(new StoreError('The thread of the database ended'))
  await add(store, 'again')
  expect(await notes(store)).toEqual(['kept', 'again'])
})

test('a transaction that begins, but does not get its lock, is not left open', async () => {
  const db = openDatabase(':memory:')
  onTestFinished(() => db.close())
  const engine = sqliteEngine(':memory:', () => connectLocal(db))
  const store = await opened(openStoreOn({ ...engine, begin: 'BEGIN; SELECT note FROM lock' }, schema))
  expect(await rejected(store.transaction(() => add(store, 'lost')))).toMatchObject({ message: 'no such table: lock' })
  await add(store, 'kept')
  await store.run('CREATE TABLE lock (note TEXT)')
  await store.transaction(() => add(store, 'later'))
  expect(await notes(store)).toEqual(['kept', 'later'])
})

test.skipIf(!hasPostgres())('a writer of PostgreSQL goes on after others have held the lock for too long', async () => {
  const url = await newUrl()
  const holding = await opened(openPostgres(url, schema))
  const patience = { statementMs: 1000, answerMs: 20_000 }
  const connect = () => connectPostgres(url, patience)
  const engine = { connect, hasReaders: true, begin, beginMigration, parents: '', outside: undefined }
  const store = await opened(openStoreOn(engine))
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = holding.transaction(async () => {
    await add(holding, 'other')
    held.resolve()
    await released.promise
  })
  await held.promise
  expect(await rejected(store.transaction(() => add(store, 'lost')))).toBeInstanceOf(StoreAway)
  released.resolve()
  await other
  await store.transaction(() => add(store, 'later'))
  expect(await notes(store)).toEqual(['other', 'later'])
})

test.skipIf(!hasPostgres())('servers that open an empty database of PostgreSQL together migrate it once', async () => {
  const url = await newUrl()
  const steps = ["INSERT INTO notes (note) VALUES ('once')", 'ALTER TABLE notes ADD COLUMN more INTEGER']
  const whole: Schema = new Map<string, readonly string[]>([...siteSchema, ...schema, ['later', steps]])
  const stores = await Promise.all(Array.from({ length: 3 }, () => opened(openPostgres(url, whole))))
  expect(await Promise.all(stores.map(notes))).toEqual([['once'], ['once'], ['once']])
})

test('a process killed in a transaction leaves none of its writes', async () => {
  const file = newFile()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../fixtures/half-written.ts'), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await gone
  const store = await openStore(file)
  onTestFinished(store.close)
  expect(await notes(store)).toEqual(['whole'])
})
