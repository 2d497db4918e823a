import * as z from 'zod/mini'
import { flag, numberOr, optionalInstant, page, text } from './wire.ts'

/**
 * Feature `mqtt`: a message to the broker. `status` is `waiting` (for the broker), `sent` or `failed`; `attempts`: how
 * often it was sent to the broker; `retained`: a state, which the broker keeps for new subscribers.
 */
const MqttDelivery = z.object({
  id: z.string(),
  nodeId: text,
  topic: text,
  payload: text,
  retained: flag,
  createTime: optionalInstant,
  status: text,
  attempts: numberOr(0),
  endTime: optionalInstant,
  failureReason: text,
})
export type MqttDelivery = z.output<typeof MqttDelivery>

/** The connection of the node that answers. `address` is without login; `time`: since when `connected` is as it is. */
const MqttConnection = z.object({
  address: text,
  topic: text,
  connected: flag,
  time: optionalInstant,
  failureReason: text,
})
export const MqttDeliveries = z.extend(page(MqttDelivery), { connection: MqttConnection })
export type MqttDeliveries = z.output<typeof MqttDeliveries>

export const MqttTested = z.object({ topic: text, sent: flag, failureReason: text })
export type MqttTested = z.output<typeof MqttTested>
