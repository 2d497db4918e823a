import * as z from 'zod/mini'
import { bit, query, type Store } from '../store/store.ts'

const Row = z.object({
  id: z.string(),
  nodeId: z.string(),
  topic: z.string(),
  payload: z.string(),
  isRetained: bit,
  created: z.number(),
  status: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.number(),
  ended: z.number(),
  reason: z.string(),
})
/** A message and what became of it. `reason`: why it failed, or why it still waits. `ended`: 0 while it waits. */
export type Delivery = z.output<typeof Row>

const columns = `id, node_id AS nodeId, topic, payload, retained AS isRetained,
  created, status, attempts, ended, reason`
const maxKept = 1000
/** More than an outbox holds. */
const maxWaiting = 5000
export const deliveriesPageSize = 50

export type MqttDeliveryStore = ReturnType<typeof createMqttDeliveryStore>

export const createMqttDeliveryStore = (store: Store) => {
  const waiting = query(
    store,
    Row,
    `SELECT ${columns} FROM mqtt_deliveries WHERE node_id = ? AND status = 'waiting'
     ORDER BY created, id LIMIT ${maxWaiting}`,
  )
  const paged = query(
    store,
    Row,
    `SELECT ${columns} FROM mqtt_deliveries ORDER BY created DESC, id DESC LIMIT ${deliveriesPageSize} OFFSET ?`,
  )
  const count = query(store, z.object({ count: z.number() }), 'SELECT count(*) AS count FROM mqtt_deliveries')
  const oldestKept = query(
    store,
    z.object({ created: z.number() }),
    `SELECT created FROM mqtt_deliveries ORDER BY created DESC, id DESC LIMIT 1 OFFSET ${maxKept}`,
  )

  const write = async ({ id, ...rest }: Delivery): Promise<void> => {
    const { nodeId, topic, payload, isRetained, created, status, attempts, ended, reason } = rest
    await store.run(
      `INSERT INTO mqtt_deliveries
         (id, node_id, topic, payload, retained, created, status, attempts, ended, reason)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, attempts = excluded.attempts, ended = excluded.ended,
         reason = excluded.reason`,
      id,
      nodeId,
      topic,
      payload,
      Number(isRetained),
      created,
      status,
      attempts,
      ended,
      reason,
    )
  }

  return {
    /** Of a node, oldest first. */
    waiting: (nodeId: string): Promise<Delivery[]> => waiting.all(nodeId),
    /** Newest first. */
    page: async (number: number): Promise<{ items: Delivery[]; total: number }> => ({
      items: await paged.all((number - 1) * deliveriesPageSize),
      total: (await count.get())?.count ?? 0,
    }),
    /** Adds or changes deliveries, and deletes the oldest above the limit, except those that wait. */
    save: (deliveries: readonly Delivery[]): Promise<void> =>
      store.transaction(async () => {
        for (const each of deliveries) await write(each)
        const last = await oldestKept.get()
        if (last === undefined) return
        await store.run("DELETE FROM mqtt_deliveries WHERE created <= ? AND status <> 'waiting'", last.created)
      }),
  }
}
