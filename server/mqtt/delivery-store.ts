import * as z from 'zod/mini'
import { keptDeliveries } from '../alerts/kept-deliveries.ts'
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
/** More than an outbox holds. */
const maxWaiting = 5000

export type MqttDeliveryStore = ReturnType<typeof createMqttDeliveryStore>

export const createMqttDeliveryStore = (store: Store) => {
  const waiting = query(
    store,
    Row,
    `SELECT ${columns} FROM mqtt_deliveries WHERE node_id = ? AND status = 'waiting'
     ORDER BY created, id LIMIT ${maxWaiting}`,
  )
  const kept = keptDeliveries(store, { table: 'mqtt_deliveries', row: Row, columns })

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
    /** The waiting deliveries of a node, oldest first. */
    waiting: (nodeId: string): Promise<Delivery[]> => waiting.all(nodeId),
    page: kept.page,
    /** Adds or changes deliveries, and deletes the oldest above the limit, except those that wait. */
    save: (deliveries: readonly Delivery[]): Promise<void> =>
      store.transaction(async () => {
        for (const each of deliveries) await write(each)
        await kept.trim()
      }),
  }
}
