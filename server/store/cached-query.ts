import type * as z from 'zod/mini'
import type { Value } from './connection.ts'
import type { Store } from './store.ts'

const maxRows = 5000

const keyPartOf = (value: Value): string =>
  value instanceof Uint8Array ? `x${Buffer.from(value).toString('hex')}` : `${typeof value} ${value}`

/**
 * A query made with every HTTP request. Its row is cached until a write may change it, so that each call sees earlier
 * writes. Within a transaction nothing is cached.
 */
export const cachedQuery = <Row extends z.ZodMiniType>(store: Store, row: Row, sql: string) => {
  const rows = new Map<string, { found: z.output<Row>; version: number }>()
  return {
    get: async (...values: Value[]): Promise<z.output<Row> | undefined> => {
      const version = await store.versionOf(sql)
      if (version === undefined) return store.get(row, sql, ...values)
      const key = values.map(keyPartOf).join('\n')
      const known = rows.get(key)
      if (known?.version === version) return known.found
      const found = await store.get(row, sql, ...values)
      rows.delete(key)
      // Missing rows aren't cached: callers can ask for any number of them.
      if (found === undefined || (await store.versionOf(sql)) !== version) return found
      if (rows.size >= maxRows) rows.clear()
      rows.set(key, { found, version })
      return found
    },
  }
}
