/** A value in a database. */
export type Value = null | number | bigint | string | Uint8Array

export type Call = {
  /** `exec` runs several statements; so does `rollback`, unless the database has already rolled back by itself. */
  how: 'get' | 'all' | 'run' | 'exec' | 'rollback'
  sql: string
  values: readonly Value[]
  /** The call belongs to a transaction, and fails if the database has rolled that back. */
  isInTransaction: boolean
}

export type Reply = { rows: unknown[]; changes: number }

/** One connection to a database. Runs its calls one by one, in their order. */
export type Connection = {
  call: (call: Call) => Promise<Reply>
  /** Calls that wait for their reply. */
  pending: () => number
  isOpen: () => boolean
  close: () => Promise<void>
}

export class StoreError extends Error {
  /** SQLite's extended result code. */
  readonly errcode: number | undefined
  constructor(message: string, errcode?: number) {
    super(message)
    this.name = 'StoreError'
    this.errcode = errcode
  }
}

export class StoreClosed extends StoreError {
  constructor() {
    super('The store is closed')
  }
}

/** The database can't be reached, or can't write now. A retry may succeed. */
export class StoreAway extends StoreError {
  readonly why: string
  constructor(why: string) {
    super(`The database is away: ${why}`)
    this.name = 'StoreAway'
    this.why = why
  }
}

/**
 * This version can't use the database: it is damaged, was written by a newer version, or a migration failed. Another
 * start would fail again.
 */
export class UnusableDatabase extends Error {}
