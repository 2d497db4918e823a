const writtenTable =
  /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/i
const readTables = /\b(?:FROM|JOIN)\s+(\w+)/gi

/** The tables that a query reads itself. */
export const tablesReadBy = (sql: string): string[] => [...sql.matchAll(readTables)].map(([, table = '']) => table)

/** A statement that begins with WITH is always a query here. */
export const isRead = (sql: string): boolean => /^\s*(?:select|with)\b/i.test(sql)

export type Writes = {
  /** Registers a statement that was run, and may have written. */
  note: (sql: string) => void
  /** Registers that a table has changed. */
  mark: (table: string) => void
  /** Registers that any table may have changed. */
  markAll: () => void
  /** Grows with each write that can change the answer to a query. */
  versionOf: (sql: string) => Promise<number>
}

/**
 * Counts the writes to each table. The answer to a query depends on the tables that it reads and on their parents by
 * foreign keys, whose changes cascade; `parentsOf` queries these. Triggers aren't followed, nor are tables after a
 * comma: use JOIN. Statements that match `harmless` don't count.
 */
export const createWrites = (
  parentsOf: (table: string) => Promise<readonly string[]>,
  harmless: RegExp | undefined,
): Writes => {
  const counts = new Map<string, number>()
  const tables = new Map<string, Promise<ReadonlySet<string>>>()
  /** Counts changes that may be to any table. */
  let anyTable = 0

  const mark = (table: string): void => {
    counts.set(table, (counts.get(table) ?? 0) + 1)
  }

  const markAll = (): void => {
    anyTable += 1
  }

  const tablesOf = async (sql: string): Promise<ReadonlySet<string>> => {
    const found = new Set<string>()
    const queue = tablesReadBy(sql)
    for (let table = queue.pop(); table !== undefined; table = queue.pop()) {
      if (found.has(table)) continue
      found.add(table)
      queue.push(...(await parentsOf(table)))
    }
    return found
  }

  return {
    note: (sql) => {
      if (isRead(sql) || harmless?.test(sql) === true) return
      const table = writtenTable.exec(sql)?.[1]
      if (table !== undefined) {
        mark(table)
        return
      }
      // The schema may have changed.
      tables.clear()
      markAll()
    },
    mark,
    markAll,
    versionOf: async (sql) => {
      const known = tables.get(sql) ?? tablesOf(sql)
      tables.set(sql, known)
      try {
        return [...(await known)].reduce((sum, table) => sum + (counts.get(table) ?? 0), anyTable)
      } catch (error) {
        tables.delete(sql)
        throw error
      }
    },
  }
}
