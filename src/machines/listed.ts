import type { Reply } from '../api/reply.ts'
import { listRefused, pageBroken } from './notifications/page-error.ts'

/** The reply to a request for a list, and when it arrived (epoch ms). */
export interface ListReply<Item> {
  reply: Reply<{ items: readonly Item[] }>
  at: number
}

const [, listFailed] = listRefused

const listLoaded = <Output extends ListReply<unknown>>() => ({
  guard: ({ event }: { event: { output: Output } }) => event.output.reply.ok,
  target: 'ready' as const,
  actions: { type: 'assignList' as const, params: ({ event }: { event: { output: Output } }) => event.output },
})

/** The transitions after a request for a list; the machine's action `assignList` stores it. */
export const afterListRequest = <Output extends ListReply<unknown>>() => ({
  onDone: [listLoaded<Output>(), ...listRefused] as const,
  onError: pageBroken,
})

/** The same for a list that is part of a page: a 404 means no more than another error. */
export const afterPartRequest = <Output extends ListReply<unknown>>() => ({
  onDone: [listLoaded<Output>(), listFailed] as const,
  onError: pageBroken,
})
