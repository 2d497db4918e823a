import type { Refusal, Reply } from '../api/reply.ts'

/** What a fault of the console itself is told as. */
export const unknownRefusal: Refusal = { status: 0, code: '', message: '', details: {}, retryAfterSeconds: null }

export const refusalOf = (reply: Reply<unknown>): Refusal => (reply.ok ? unknownRefusal : reply.refusal)
