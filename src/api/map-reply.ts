import type { Reply } from './reply.ts'

export const mapReply = <A, B>(reply: Reply<A>, map: (value: A) => B): Reply<B> =>
  reply.ok ? { ...reply, value: map(reply.value) } : reply
