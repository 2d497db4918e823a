import type { Reply } from './reply.ts'

/** The reply with its value turned into another; an error stays as it is. */
export const mapped = <A, B>(reply: Reply<A>, turn: (value: A) => B): Reply<B> =>
  reply.ok ? { ...reply, value: turn(reply.value) } : reply
