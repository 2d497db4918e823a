import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Call, Reply } from './connection.ts'

/** Adds `fold(text)`, which converts to lower case in any script. */
export const addFunctions = (db: DatabaseSync): void =>
  db.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : ''))

/** Opens a file, readable by its owner only, or `:memory:`. */
export const openDatabase = (file: string, isReader = false): DatabaseSync => {
  if (file !== ':memory:' && !isReader) closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000, readOnly: isReader })
  if (!isReader) db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  addFunctions(db)
  return db
}

const maxStatements = 500

/** Runs calls on a database; statements are prepared once for each text. */
export const createExecutor = (db: DatabaseSync): ((call: Call) => Reply) => {
  const statements = new Map<string, StatementSync>()

  const statementOf = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = db.prepare(sql)
    const [oldest] = statements.keys()
    if (statements.size >= maxStatements && oldest !== undefined) statements.delete(oldest)
    statements.set(sql, statement)
    return statement
  }

  return ({ how, sql, values, isInTransaction }) => {
    // SQLite rolls back by itself when the disk is full.
    if (isInTransaction && !db.isTransaction) {
      if (how === 'rollback') return { rows: [], changes: 0 }
      throw new Error('The transaction was rolled back')
    }
    if (how === 'exec' || how === 'rollback') {
      db.exec(sql)
      return { rows: [], changes: 0 }
    }
    const statement = statementOf(sql)
    if (how === 'run') return { rows: [], changes: Number(statement.run(...values).changes) }
    if (how === 'all') return { rows: statement.all(...values), changes: 0 }
    const row = statement.get(...values)
    return { rows: row === undefined ? [] : [row], changes: 0 }
  }
}
