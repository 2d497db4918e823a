import type { Reply } from './reply.ts'

export const mapReply = <A, B>(reply: Reply<A>, turn: (value: A) => B): Reply<B> =>
  reply.ok ? { ...reply, value: turn(reply.value) } : reply
