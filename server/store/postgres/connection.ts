import { Client, type QueryResult } from 'pg'
import { guarded } from '../../guarded.ts'
import { StoreAway, StoreError, type Call, type Connection, type Reply, type Value } from '../connection.ts'
import { isRead } from '../writes.ts'
import { schemaToPostgres, toPostgres } from './dialect.ts'
import { errorOf, isGone } from './errors.ts'
import { beginMigration, shareUse } from './prelude.ts'

export const connectMs = 5000
export type Patience = {
  /** PostgreSQL ends a statement that takes longer, and a transaction that is idle for longer. */
  statementMs: number
  /** Without any answer for this long the connection counts as broken. */
  answerMs: number
}
const usual: Patience = { statementMs: 30_000, answerMs: 35_000 }
/** After this long without an answer, a new connection shows whether the server is still there. */
const probeAfterMs = 5000
const maxStatements = 500

/** The OIDs of types in pg_type. */
export const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, float4: 700, float8: 701, numeric: 1700 }
const { bool, bytea, ...ofNumbers } = oids
const numberOids: readonly number[] = Object.values(ofNumbers)

/** Numbers as numbers and booleans as 0 or 1, as SQLite answers them. */
const parserOf = (oid: number): ((text: string) => unknown) => {
  if (oid === bool) return (text) => Number(text === 't')
  if (oid === bytea) return (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
  return numberOids.includes(oid) ? Number : (text) => text
}

/** PostgreSQL can't store NUL in a text. */
export const storedText = (text: string): string => text.replaceAll('\0', '\uFFFD')
const stored = (value: Value): Value => (typeof value === 'string' ? storedText(value) : value)

const isOfTransaction = (sql: string): boolean => /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(sql)

/** Whether a new connection gets an answer in time, be it a refusal. */
const probe = async (url: string): Promise<boolean> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    application_name: 'sightline',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    return !isGone(error)
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** The probes in progress, by URL. */
const probes = new Map<string, Promise<boolean>>()

/** Connections that are silent at the same time share a probe. */
const isThere = (url: string): Promise<boolean> => {
  const current = probes.get(url) ?? probe(url).finally(() => probes.delete(url))
  probes.set(url, current)
  return current
}

/** A connection to PostgreSQL. After a failure it stays closed: open another. */
export const connectPostgres = (url: string, { statementMs, answerMs } = usual): Connection => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    pipeline: true,
    application_name: 'sightline',
    types: { getTypeParser: parserOf },
  })
  const names = new Map<string, string>()
  let pending = 0
  let failure: StoreError | undefined
  let watchdog: NodeJS.Timeout | undefined
  let probeTimer: NodeJS.Timeout | undefined

  const fail = (error: unknown): void => {
    failure ??= error instanceof StoreError ? error : errorOf(error)
    client.connection.stream.destroy()
  }
  client.on('error', guarded('store: connection', fail))
  client.on(
    'end',
    guarded('store: connection', () => fail(new StoreAway('the connection ended'))),
  )
  const connect = async (): Promise<void> => {
    await client.connect()
    const { rows } = await client.query(shareUse)
    if (rows[0]?.isFree === 0) throw new StoreAway('it is being moved')
  }
  const connected = connect()
  connected.catch(guarded('store: connection', fail))

  /** Restarts the timers that detect a silent server. They don't run during statements that may take long. */
  const restartWatchdog = (mayTakeLong: boolean): void => {
    clearTimeout(watchdog)
    clearTimeout(probeTimer)
    probeTimer = undefined
    if (pending === 0 || mayTakeLong) return
    const giveUp = () => fail(new StoreAway('it does not answer'))
    watchdog = setTimeout(guarded('store: answer', giveUp), answerMs)
    const look = async () => {
      if (!(await isThere(url)) && probeTimer === current) giveUp()
    }
    const current = setTimeout(guarded('store: probe', look), probeAfterMs)
    probeTimer = current
  }

  /** Statements are prepared once for each text. */
  const nameOf = (text: string): { name?: string } => {
    const known = names.get(text)
    if (known !== undefined) return { name: known }
    if (names.size >= maxStatements) return {}
    const name = `s${names.size}`
    names.set(text, name)
    return { name }
  }

  const exec = async (sql: string): Promise<Reply> => {
    const result: QueryResult | QueryResult[] = await client.query(sql)
    const last = Array.isArray(result) ? result.at(-1) : result
    // PostgreSQL rolls back a transaction with a failed statement, and answers ROLLBACK.
    if (sql === 'COMMIT' && last?.command === 'ROLLBACK') throw new StoreError('The transaction was rolled back')
    return { rows: [], changes: 0 }
  }

  const ask = async (text: string, { how, values }: Call): Promise<Reply> => {
    const { rows, rowCount } = await client.query({ ...nameOf(text), text, values: values.map(stored) })
    if (how === 'run') return { rows: [], changes: rowCount ?? 0 }
    return { rows: how === 'get' ? rows.slice(0, 1) : rows, changes: 0 }
  }

  /** A failed write in a transaction undoes only itself, as in SQLite. All three statements are sent at once. */
  const askWithin = async (text: string, call: Call): Promise<Reply> => {
    const [, reply] = await Promise.allSettled([
      client.query('SAVEPOINT call'),
      ask(text, call),
      client.query('RELEASE call'),
    ])
    if (reply.status === 'fulfilled') return reply.value
    await client.query('ROLLBACK TO call; RELEASE call')
    throw reply.reason
  }

  const perform = async (text: string, call: Call): Promise<Reply> => {
    await connected
    if (call.how === 'exec' || call.how === 'rollback') return exec(text)
    return call.isInTransaction && !isRead(text) ? askWithin(text, call) : ask(text, call)
  }

  return {
    call: async (call) => {
      const { how, sql, values } = call
      const isPlain = how === 'exec' || how === 'rollback'
      const isSchema = isPlain && !isOfTransaction(sql)
      const text = isSchema ? schemaToPostgres(sql) : isPlain ? sql : toPostgres(sql, values)
      if (failure !== undefined) throw failure
      const mayTakeLong = isSchema || sql === beginMigration
      pending += 1
      // Only an answer shows that the server is there: with each call anew, it would never be missed.
      if (pending === 1 || mayTakeLong) restartWatchdog(mayTakeLong)
      try {
        return await perform(text, call)
      } catch (error) {
        const known = error instanceof StoreError ? error : errorOf(error)
        throw failure ?? known
      } finally {
        pending -= 1
        restartWatchdog(false)
      }
    },
    pending: () => pending,
    isOpen: () => failure === undefined,
    close: async () => {
      await client.end().catch(() => undefined)
    },
  }
}
