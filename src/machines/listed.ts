import type { Reply } from '../api/reply.ts'

/** The reply to a request for a list, and when it arrived (epoch ms). */
export interface ListReply<Item> {
  reply: Reply<{ items: readonly Item[] }>
  at: number
}
