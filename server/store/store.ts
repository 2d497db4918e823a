import { AsyncLocalStorage } from 'node:async_hooks'
import * as z from 'zod/mini'
import { StoreAway, StoreClosed, type Call, type Connection, type Reply, type Value } from './connection.ts'
import { sqliteEngine, type Connect, type Engine } from './engine.ts'
import { Move, openMoves, ownTables, refuseMoved } from './own-tables.ts'
import { createReaders } from './readers.ts'
import { createSerialQueue, type SerialQueue } from './serial-queue.ts'
import { createWrites, isRead } from './writes.ts'

/** The database, as all modules see it. Rows are parsed by a schema; values stand for `?` in their order. */
export type Store = {
  get: <Row extends z.ZodMiniType>(row: Row, sql: string, ...values: Value[]) => Promise<z.output<Row> | undefined>
  all: <Row extends z.ZodMiniType>(row: Row, sql: string, ...values: Value[]) => Promise<z.output<Row>[]>
  run: (sql: string, ...values: Value[]) => Promise<{ changes: number }>
  /**
   * All or nothing, without other writes meanwhile. What `work` calls, directly or through other functions, is part
   * of it and sees its writes; a transaction inside undoes its own part alone. Await every call, one after the other,
   * and nothing but the store: everybody else waits.
   */
  transaction: <T>(work: () => Promise<T>) => Promise<T>
  /** Migrates one concern's tables; steps are never edited after a release. Rejects if a newer version wrote them. */
  migrate: (concern: string, steps: readonly string[]) => Promise<void>
  /** Grows with each write that can change the answer to a query; undefined within a transaction. */
  versionOf: (sql: string) => Promise<number | undefined>
  /** Whether another process has written since the last call; the cache is then empty. Undefined without a cache. */
  seeOutside: (() => Promise<boolean>) | undefined
  isOpen: () => boolean
  /** Whether the last call found that the database is away. */
  isAway: () => boolean
  /** Calls and transactions that wait for their answer. */
  pending: () => number
  /** Waits for what was asked before; later calls are rejected. */
  close: () => Promise<void>
}

/** An open transaction; `depth` counts those around it. */
type Scope = { connection: Connection; turns: SerialQueue; depth: number; isOver: boolean; written: string[] }

const Named = z.object({ name: z.string() })
const Version = z.object({ version: z.number() })

/** Opens a database. One connection writes; others, opened when they are needed, read. */
export const openStoreOn = async (engine: Engine): Promise<Store> => {
  const scopes = new AsyncLocalStorage<Scope>()
  const turns = createSerialQueue()
  const { cache } = engine
  let isAway = false

  const connect = (isReader: boolean): Connection => {
    const connection = engine.connect(isReader)
    const call: Connection['call'] = async (asked) => {
      try {
        const reply = await connection.call(asked)
        // One that reads may still take no writes.
        if (!isReader) isAway = false
        return reply
      } catch (error) {
        if (error instanceof StoreAway) isAway = true
        throw error
      }
    }
    return { ...connection, call }
  }

  const readers = createReaders(() => connect(true))
  let current = connect(false)
  let isOpen = true
  let waiting = 0

  const writer = (): Connection => {
    if (!current.isOpen()) current = connect(false)
    return current
  }

  /** The transaction that a call belongs to; what outlives it is outside. */
  const scopeOf = (): Scope | undefined => {
    const scope = scopes.getStore()
    return scope?.isOver === false ? scope : undefined
  }

  const counted = <T>(answer: Promise<T>): Promise<T> => {
    waiting += 1
    return answer.finally(() => {
      waiting -= 1
    })
  }

  const ask = async (how: Call['how'], sql: string, values: readonly Value[]): Promise<Reply> => {
    const scope = scopeOf()
    const call = { how, sql, values, isWithin: scope !== undefined }
    if (scope !== undefined) {
      if (!isRead(sql)) scope.written.push(sql)
      return scope.turns(() => scope.connection.call(call))
    }
    if (!isOpen) throw new StoreClosed()
    if (engine.hasReaders && isRead(sql)) return counted(readers.next().call(call))
    return counted(turns(() => writer().call(call))).finally(() => {
      if (!isRead(sql)) writes.note(sql)
    })
  }

  const transact = async <T>(work: () => Promise<T>, begin: string): Promise<T> => {
    const outer = scopeOf()
    if (outer === undefined && !isOpen) throw new StoreClosed()
    const whole = (outer?.turns ?? turns)(async () => {
      const connection = outer?.connection ?? writer()
      // What an inner one writes is written with the outermost.
      const written = outer?.written ?? []
      const scope: Scope = {
        connection,
        turns: createSerialQueue(),
        depth: (outer?.depth ?? 0) + 1,
        isOver: false,
        written,
      }
      const isInner = outer !== undefined
      const step = `step${scope.depth}`
      const call = (how: Call['how'], sql: string, isWithin = true) =>
        connection.call({ how, sql, values: [], isWithin })
      /** No call may come after the end. */
      const end = async () => {
        scope.isOver = true
        await scope.turns(async () => undefined)
      }
      await call('exec', isInner ? `SAVEPOINT ${step}` : begin, isInner)
      try {
        const result = await scopes.run(scope, work)
        await end()
        await call('exec', isInner ? `RELEASE ${step}` : 'COMMIT')
        return result
      } catch (error) {
        await end()
        // A thread that died has rolled back.
        if (connection.isOpen()) await call('rollback', isInner ? `ROLLBACK TO ${step}; RELEASE ${step}` : 'ROLLBACK')
        throw error
      } finally {
        if (!isInner) for (const sql of written) writes.note(sql)
      }
    })
    return outer === undefined ? counted(whole) : whole
  }

  const writes = createWrites(async (table) => {
    const { rows } = cache === undefined ? { rows: [] } : await ask('all', cache.parents, [table])
    return rows.map((each) => z.parse(Named, each).name)
  })

  let outside: unknown
  const seeOutside = async (sql: string): Promise<boolean> => {
    if (!isOpen) return false
    // On the connection that writes, which doesn't count what it wrote itself.
    const { rows } = await turns(() => writer().call({ how: 'get', sql, values: [], isWithin: false }))
    const before = outside
    outside = Object.values(rows[0] ?? {})[0]
    if (before === undefined || before === outside) return false
    writes.markOutside()
    return true
  }

  const get: Store['get'] = async (row, sql, ...values) => {
    const { rows } = await ask('get', sql, values)
    return rows.length === 0 ? undefined : z.parse(row, rows[0])
  }

  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await turns(async () => undefined)
    // Last, as it then takes the journal into the file.
    await readers.close()
    await current.close()
  }

  const migrating = <T>(work: () => Promise<T>): Promise<T> => transact(work, engine.beginMigration)

  // So that a file that isn't a database fails the start.
  const move = await migrating(async () => {
    await ask('exec', ownTables, [])
    return get(Move, openMoves)
  })
  if (move !== undefined) await close().then(() => refuseMoved(move))

  return {
    get,
    all: async (row, sql, ...values) => {
      const { rows } = await ask('all', sql, values)
      return rows.map((each) => z.parse(row, each))
    },
    run: async (sql, ...values) => {
      const { changes } = await ask('run', sql, values)
      return { changes }
    },
    transaction: (work) => transact(work, engine.begin),
    migrate: (concern, steps) =>
      migrating(async () => {
        const done = (await get(Version, 'SELECT version FROM migrations WHERE concern = ?', concern))?.version ?? 0
        if (done > steps.length) {
          throw new Error(
            `The database was written by a newer version (${concern} ${done}, this one knows ${steps.length})`,
          )
        }
        for (const step of steps.slice(done)) await ask('exec', step, [])
        await ask(
          'run',
          `INSERT INTO migrations (concern, version) VALUES (?, ?)
           ON CONFLICT (concern) DO UPDATE SET version = excluded.version`,
          [concern, steps.length],
        )
      }),
    versionOf: async (sql) => (scopeOf() === undefined && cache !== undefined ? writes.versionOf(sql) : undefined),
    seeOutside: cache && (() => seeOutside(cache.outside)),
    isOpen: () => isOpen,
    isAway: () => isAway,
    pending: () => waiting,
    close,
  }
}

/** Opens a SQLite file. */
export const openStore = (file: string, connect?: Connect): Promise<Store> => openStoreOn(sqliteEngine(file, connect))

/** A named statement of a store. */
export const query = <Row extends z.ZodMiniType>(store: Store, row: Row, sql: string) => ({
  get: (...values: Value[]) => store.get(row, sql, ...values),
  all: (...values: Value[]) => store.all(row, sql, ...values),
})

const keysAtOnce = 100

/** Rows of many keys, some at a time: `read` gets keys and the placeholders for them. */
export const allOf = async <Key, Row>(
  keys: readonly Key[],
  read: (some: readonly Key[], placeholders: string) => Promise<Row[]>,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const some = keys.slice(from, from + keysAtOnce)
    rows.push(...(await read(some, some.map(() => '?').join(', '))))
  }
  return rows
}

/** A column of 0 or 1. */
export const bit = z.codec(z.number(), z.boolean(), {
  decode: (value) => value !== 0,
  encode: (value) => (value ? 1 : 0),
})
