import { AsyncLocalStorage } from 'node:async_hooks'
import * as z from 'zod/mini'
import { StoreClosed, type Call, type Connection, type Reply, type Value } from './connection.ts'
import { unusableIfDamaged } from './disk-error.ts'
import { sqliteEngine, type Connect, type Engine } from './engine.ts'
import { migrateTables, type Schema, type Tables } from './migration.ts'
import { Move, openMoves, ownTables, refuseMoved } from './own-tables.ts'
import { createPresence, type Presence } from './presence.ts'
import { createReaders } from './readers.ts'
import { createSerialQueue, type SerialQueue } from './serial-queue.ts'
import { createWrites, isRead } from './writes.ts'

/** The database, as all modules see it. Rows are parsed by a schema; values stand for `?` in their order. */
export type Store = Presence & {
  get: <Row extends z.ZodMiniType>(row: Row, sql: string, ...values: Value[]) => Promise<z.output<Row> | undefined>
  all: <Row extends z.ZodMiniType>(row: Row, sql: string, ...values: Value[]) => Promise<z.output<Row>[]>
  run: (sql: string, ...values: Value[]) => Promise<{ changes: number }>
  /**
   * Runs `work` in a transaction, while nobody else writes. Every call that `work` makes, directly or through other
   * functions, belongs to the transaction and sees its writes. A nested transaction rolls back alone. In `work`, await
   * each call in turn, and nothing but the store, as all other writes wait.
   */
  transaction: <T>(work: () => Promise<T>) => Promise<T>
  /** Grows with each known write that can change the answer to a query; undefined in a transaction. */
  versionOf: (sql: string) => Promise<number | undefined>
  /** Whether another process has written since the last call. Undefined if other servers may write at any time. */
  checkOutsideWrites: (() => Promise<boolean>) | undefined
  /** Registers that another process may have written to a table. */
  noteOutsideWrite: (table: string) => void
  /** Whether the database chooses indexes by its statistics: hints in a statement have no effect. */
  usesStatistics: boolean
  isOpen: () => boolean
  /** Calls and transactions in progress. */
  pending: () => number
  /** Waits for earlier calls; later ones are rejected. */
  close: () => Promise<void>
}

/** An open transaction; `depth` counts those around it. */
type Scope = { connection: Connection; turns: SerialQueue; depth: number; isOver: boolean; written: string[] }

const Named = z.object({ name: z.string() })

/**
 * Opens a database, and migrates the tables of `schema` in one transaction: if a step fails, or a newer version wrote
 * the tables, it rejects and has changed nothing. One connection writes; others, opened on demand, read.
 */
export const openStoreOn = async (engine: Engine, schema: Schema = new Map()): Promise<Store> => {
  const scopes = new AsyncLocalStorage<Scope>()
  const turns = createSerialQueue()
  const { outside } = engine
  const presence = createPresence()
  const connect = (isReader: boolean): Connection => presence.watch(engine.connect(isReader), isReader)

  const readers = createReaders(() => connect(true))
  let current = connect(false)
  let isOpen = true
  let pendingCalls = 0

  const writer = (): Connection => {
    if (!current.isOpen()) current = connect(false)
    return current
  }

  /** The transaction that a call belongs to; undefined if there is none, or if it has ended. */
  const scopeOf = (): Scope | undefined => {
    const scope = scopes.getStore()
    return scope?.isOver === false ? scope : undefined
  }

  const counted = <T>(answer: Promise<T>): Promise<T> => {
    pendingCalls += 1
    return answer.finally(() => {
      pendingCalls -= 1
    })
  }

  const execute = async (how: Call['how'], sql: string, values: readonly Value[]): Promise<Reply> => {
    const scope = scopeOf()
    const call = { how, sql, values, isInTransaction: scope !== undefined }
    if (scope !== undefined) {
      if (!isRead(sql)) scope.written.push(sql)
      return scope.turns(() => scope.connection.call(call))
    }
    if (!isOpen) throw new StoreClosed()
    if (engine.hasReaders && isRead(sql)) return counted(readers.next().call(call))
    return counted(turns(() => writer().call(call))).finally(() => writes.note(sql))
  }

  const transact = async <T>(work: () => Promise<T>, begin: string): Promise<T> => {
    const outer = scopeOf()
    if (outer === undefined && !isOpen) throw new StoreClosed()
    const transaction = (outer?.turns ?? turns)(async () => {
      const connection = outer?.connection ?? writer()
      // The writes of a nested transaction count once the outermost has ended.
      const written = outer?.written ?? []
      const scope: Scope = {
        connection,
        turns: createSerialQueue(),
        depth: (outer?.depth ?? 0) + 1,
        isOver: false,
        written,
      }
      const isNested = outer !== undefined
      const step = `step${scope.depth}`
      const call = (how: Call['how'], sql: string, isInTransaction = true) =>
        connection.call({ how, sql, values: [], isInTransaction })
      /** Waits for the calls in progress; later ones aren't part of the transaction. */
      const end = async () => {
        scope.isOver = true
        await scope.turns(async () => undefined)
      }
      /** A connection that broke has rolled back. */
      const rollBack = async (sql: string) => connection.isOpen() && call('rollback', sql)
      await call('exec', isNested ? `SAVEPOINT ${step}` : begin, isNested).catch(async (error: unknown) => {
        // PostgreSQL may have begun, and then waited too long for the lock.
        if (!isNested) await rollBack('ROLLBACK')
        throw error
      })
      try {
        const result = await scopes.run(scope, work)
        await end()
        await call('exec', isNested ? `RELEASE ${step}` : 'COMMIT')
        return result
      } catch (error) {
        await end()
        await rollBack(isNested ? `ROLLBACK TO ${step}; RELEASE ${step}` : 'ROLLBACK')
        throw error
      } finally {
        if (!isNested) for (const sql of written) writes.note(sql)
      }
    })
    return outer === undefined ? counted(transaction) : transaction
  }

  const parentsOf = async (table: string) =>
    (await execute('all', engine.parents, [table])).rows.map((each) => z.parse(Named, each).name)
  const writes = createWrites(parentsOf, engine.harmless)
  // Others may have written meanwhile.
  presence.follow({ back: writes.markAll })

  let outsideVersion: unknown
  const checkOutside = async (sql: string): Promise<boolean> => {
    if (!isOpen) return false
    // Asked on the writing connection, as the version doesn't grow with its own writes.
    const { rows } = await turns(() => writer().call({ how: 'get', sql, values: [], isInTransaction: false }))
    const before = outsideVersion
    outsideVersion = Object.values(rows[0] ?? {})[0]
    if (before === undefined || before === outsideVersion) return false
    writes.markAll()
    return true
  }

  const get: Store['get'] = async (row, sql, ...values) => {
    const { rows } = await execute('get', sql, values)
    return rows.length === 0 ? undefined : z.parse(row, rows[0])
  }

  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await turns(async () => undefined)
    // SQLite merges the write-ahead log into the file when its last connection closes.
    await readers.close()
    await current.close()
  }

  const tables: Tables = {
    get,
    exec: (sql) => execute('exec', sql, []),
    run: (sql, ...values) => execute('run', sql, values),
  }

  try {
    // A file that isn't a database thus fails the start.
    await transact(async () => {
      await execute('exec', ownTables, [])
      const move = await get(Move, openMoves)
      if (move !== undefined) refuseMoved(move)
      for (const [concern, steps] of schema) await migrateTables(tables, concern, steps)
    }, engine.beginMigration)
  } catch (error) {
    await close()
    throw unusableIfDamaged(error)
  }

  return {
    get,
    all: async (row, sql, ...values) => {
      const { rows } = await execute('all', sql, values)
      return rows.map((each) => z.parse(row, each))
    },
    run: async (sql, ...values) => {
      const { changes } = await execute('run', sql, values)
      return { changes }
    },
    transaction: (work) => transact(work, engine.begin),
    versionOf: async (sql) => (scopeOf() === undefined ? writes.versionOf(sql) : undefined),
    checkOutsideWrites: outside === undefined ? undefined : () => checkOutside(outside),
    noteOutsideWrite: writes.mark,
    usesStatistics: engine.usesStatistics === true,
    isOpen: () => isOpen,
    isAway: presence.isAway,
    isUnreachable: presence.isUnreachable,
    follow: presence.follow,
    pending: () => pendingCalls,
    close,
  }
}

/** Opens a SQLite file. */
export const openStore = (file: string, connect?: Connect, schema?: Schema): Promise<Store> =>
  openStoreOn(sqliteEngine(file, connect), schema)

/** A statement that is run several times. */
export const query = <Row extends z.ZodMiniType>(store: Store, row: Row, sql: string) => ({
  get: (...values: Value[]) => store.get(row, sql, ...values),
  all: (...values: Value[]) => store.all(row, sql, ...values),
})

const keysAtOnce = 100

/** The rows of many keys, read in batches: `read` gets the keys of a batch and a placeholder for each. */
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

/** A boolean, in a column of 0 or 1. */
export const bit = z.codec(z.number(), z.boolean(), {
  decode: (value) => value !== 0,
  encode: (value) => (value ? 1 : 0),
})
