import * as z from 'zod/mini'
import { alertChannels } from '../../src/api/contract/alerts.ts'
import { parseJson } from '../parse-json.ts'
import { query, type Store } from '../store/store.ts'
import { Happening } from './happenings.ts'
import { keptDeliveries } from './kept-deliveries.ts'

const Row = z.object({
  id: z.string(),
  alert: z.string(),
  name: z.string(),
  kind: z.enum(alertChannels),
  address: z.string(),
  happenings: z.string(),
  total: z.number(),
  created: z.number(),
  status: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.number(),
  next: z.number(),
  ended: z.number(),
  reason: z.string(),
})

/**
 * One message of an alert to one address. `total`: of all happenings, of which `happenings` has the first. `next`: the
 * time of the next attempt. `next` and `ended` are 0 if there is none.
 */
export type Delivery = Omit<z.output<typeof Row>, 'happenings'> & { happenings: Happening[] }

const columns = 'id, alert, name, kind, address, happenings, total, created, status, attempts, next, ended, reason'
const maxWaiting = 2000

const Happenings = z.array(Happening)
const deliveryOf = (row: z.output<typeof Row>): Delivery => ({
  ...row,
  happenings: parseJson(Happenings, row.happenings) ?? [],
})

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

export const createDeliveryStore = (store: Store) => {
  const waiting = query(
    store,
    Row,
    `SELECT ${columns} FROM alert_deliveries WHERE status = 'waiting' ORDER BY next LIMIT ${maxWaiting}`,
  )
  const kept = keptDeliveries(store, { table: 'alert_deliveries', row: Row, columns })
  return {
    waiting: async (): Promise<Delivery[]> => (await waiting.all()).map(deliveryOf),
    /** Newest first. */
    page: async (number: number): Promise<{ items: Delivery[]; total: number }> => {
      const { items, total } = await kept.page(number)
      return { items: items.map(deliveryOf), total }
    },
    /**
     * Adds a delivery or changes it. What is sent or has failed doesn't wait again: an attempt of a node that led
     * before may end last.
     */
    save: async (delivery: Delivery): Promise<void> => {
      const { id, alert, name, kind, address, happenings, total } = delivery
      const { created, status, attempts, next, ended, reason } = delivery
      await store.run(
        `INSERT INTO alert_deliveries (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, attempts = excluded.attempts, next = excluded.next,
           ended = excluded.ended, reason = excluded.reason
         WHERE alert_deliveries.status = 'waiting' OR excluded.status = 'sent'`,
        id,
        alert,
        name,
        kind,
        address,
        JSON.stringify(happenings),
        total,
        created,
        status,
        attempts,
        next,
        ended,
        reason,
      )
    },
    trim: kept.trim,
  }
}
