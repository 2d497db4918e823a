import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { guarded } from '../guarded.ts'
import { tooManyRequests, unavailable } from '../http/api-error.ts'

/** A client that reads nothing for this long is disconnected. */
export const idleMs = 30_000
const pieceBytes = 64 * 1024
const retryAfterSeconds = 5

/** Limits concurrent responses of each caller and of all. A caller's only response is always allowed. */
type SendingLimit = {
  /** Counts a response until it closes. Throws 429 if the caller has too many in progress, 503 if all have. */
  take: (caller: string, reply: FastifyReply, amount?: number) => void
  /** Resolves when none is in progress. */
  idle: () => Promise<void>
}

export const createSendingLimit = ({ each, all }: { each: number; all: number }): SendingLimit => {
  const underWay = new Map<string, number>()
  let total = 0
  let waiting = Promise.withResolvers<void>()
  return {
    idle: async () => {
      if (total > 0) await waiting.promise
    },
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
          if (total > 0) return
          waiting.resolve()
          waiting = Promise.withResolvers()
        }),
      )
    },
  }
}

const mebibyte = 1024 * 1024

export const createSending = () => ({
  downloads: createSendingLimit({ each: 4, all: 32 }),
  playlists: createSendingLimit({ each: 32, all: 256 }),
  mediaBytes: createSendingLimit({ each: 128 * mebibyte, all: 512 * mebibyte }),
})

export type Sending = ReturnType<typeof createSending>

/** The headers of the GET response; `bytes` is its length if known. Reads no media. */
export const sendHead = (reply: FastifyReply, bytes?: number): FastifyReply => {
  if (bytes !== undefined) reply.header('content-length', bytes)
  // fastify keeps the length header of a stream.
  return reply.send(Readable.from([]))
}

/**
 * Sends bytes as the client reads them, to hold little in memory; disconnects after `idleMs` without progress.
 * `leaving` is aborted at the end.
 */
export const sendPieces = (
  reply: FastifyReply,
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  leaving?: AbortController,
): FastifyReply => {
  const { raw } = reply
  const idle = setTimeout(
    guarded('sending: idle', () => raw.destroy(new Error('Nobody reads it'))),
    idleMs,
  )
  raw.once(
    'close',
    guarded('sending: closed', () => {
      clearTimeout(idle)
      leaving?.abort()
    }),
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

export const sendBytes = (reply: FastifyReply, bytes: Buffer): FastifyReply =>
  bytes.length <= pieceBytes ? reply.send(bytes) : sendPieces(reply.header('content-length', bytes.length), [bytes])
