import type { Reply } from '../api/reply.ts'
import { listRefused, pageBroken } from './notifications/page-error.ts'

/** The reply to a request for a list, and when it arrived (epoch ms). */
export interface ListReply<Item> {
  reply: Reply<{ items: readonly Item[] }>
  at: number
}

/** The transitions after a request for a list; the machine's action `assignList` stores it. */
export const afterListRequest = <Output extends ListReply<unknown>>() => ({
  onDone: [
    {
      guard: ({ event }: { event: { output: Output } }) => event.output.reply.ok,
      target: 'ready' as const,
      actions: { type: 'assignList' as const, params: ({ event }: { event: { output: Output } }) => event.output },
    },
    ...listRefused,
  ] as const,
  onError: pageBroken,
})
