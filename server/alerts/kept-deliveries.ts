import * as z from 'zod/mini'
import { query, type Store } from '../store/store.ts'

const maxKept = 1000
export const deliveriesPageSize = 50

/** `table` has the columns `id`, `created` and `status`; `row` is the schema of `columns`. */
type Kept<Row extends z.ZodMiniType> = { table: 'alert_deliveries' | 'mqtt_deliveries'; row: Row; columns: string }

/** The newest deliveries of a table, and those that wait. */
export const keptDeliveries = <Row extends z.ZodMiniType>(store: Store, { table, row, columns }: Kept<Row>) => {
  const paged = query(
    store,
    row,
    `SELECT ${columns} FROM ${table} ORDER BY created DESC, id DESC LIMIT ${deliveriesPageSize} OFFSET ?`,
  )
  const count = query(store, z.object({ count: z.number() }), `SELECT count(*) AS count FROM ${table}`)
  const oldestKept = query(
    store,
    z.object({ created: z.number() }),
    `SELECT created FROM ${table} ORDER BY created DESC, id DESC LIMIT 1 OFFSET ${maxKept}`,
  )
  return {
    /** Newest first. */
    page: async (number: number): Promise<{ items: z.output<Row>[]; total: number }> => ({
      items: await paged.all((number - 1) * deliveriesPageSize),
      total: (await count.get())?.count ?? 0,
    }),
    /** Deletes the oldest above the limit, except those that wait. */
    trim: async (): Promise<void> => {
      const last = await oldestKept.get()
      if (last === undefined) return
      await store.run(`DELETE FROM ${table} WHERE created <= ? AND status <> 'waiting'`, last.created)
    },
  }
}
