import type { Reply } from '../api/reply.ts'

/** A list as the server gave it, and when, in epoch milliseconds. */
export interface Listed<Item> {
  reply: Reply<{ items: readonly Item[] }>
  at: number
}
