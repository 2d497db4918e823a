import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { guarded } from '../guarded.ts'
import { tooManyRequests, unavailable } from '../http/api-error.ts'

/** Who reads nothing for so long is broken off. */
export const idleMs = 30_000
const pieceBytes = 64 * 1024
const retryAfterSeconds = 5

/** How much is sent at once, to one caller and to all. Somebody's only answer is always let, however much it is. */
type SendingLimit = {
  /** Counts an answer until it is over. Throws 429 where the caller has too much under way, 503 where all have. */
  take: (caller: string, reply: FastifyReply, amount?: number) => void
}

export const createSendingLimit = ({ each, all }: { each: number; all: number }): SendingLimit => {
  const underWay = new Map<string, number>()
  let total = 0
  return {
    take: (caller, { raw }, amount = 1) => {
      const own = underWay.get(caller) ?? 0
      if (own > 0 && own + amount > each) throw tooManyRequests(retryAfterSeconds)
      if (own > 0 && total + amount > all) throw unavailable(retryAfterSeconds)
      if (raw.destroyed) return
      underWay.set(caller, own + amount)
      total += amount
      raw.once(
        'close',
        guarded('sending: over', () => {
          const left = (underWay.get(caller) ?? amount) - amount
          if (left > 0) underWay.set(caller, left)
          else underWay.delete(caller)
          total -= amount
        }),
      )
    },
  }
}

const mebibyte = 1024 * 1024

/** What may be under way of one server: files that people keep, playlists, and bytes of segments and parts. */
export const createSending = () => ({
  downloads: createSendingLimit({ each: 4, all: 32 }),
  playlists: createSendingLimit({ each: 32, all: 256 }),
  mediaBytes: createSendingLimit({ each: 128 * mebibyte, all: 512 * mebibyte }),
})

export type Sending = ReturnType<typeof createSending>

/** The headers of what GET would send; `bytes` are its length where it is known. Nothing is read for it. */
export const sendHead = (reply: FastifyReply, bytes?: number): FastifyReply => {
  if (bytes !== undefined) reply.header('content-length', bytes)
  // Of a stream fastify leaves the length as it was told.
  return reply.send(Readable.from([]))
}

/**
 * Sends bytes in pieces, each made when the one before was taken, so that an answer that nobody reads holds little; after
 * `idleMs` without a piece taken it is broken off.
 */
export const sendPieces = (reply: FastifyReply, parts: Iterable<Buffer> | AsyncIterable<Buffer>): FastifyReply => {
  const { raw } = reply
  const idle = setTimeout(
    guarded('sending: idle', () => raw.destroy(new Error('Nobody reads it'))),
    idleMs,
  )
  raw.once(
    'close',
    guarded('sending: closed', () => clearTimeout(idle)),
  )
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      for (let at = 0; at < part.length; at += pieceBytes) {
        idle.refresh()
        yield part.subarray(at, at + pieceBytes)
      }
    }
  }
  return reply.send(Readable.from(pieces()))
}

/** The same with bytes that are at hand. */
export const sendBytes = (reply: FastifyReply, bytes: Buffer): FastifyReply =>
  bytes.length <= pieceBytes ? reply.send(bytes) : sendPieces(reply.header('content-length', bytes.length), [bytes])
