import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { guarded } from '../../guarded.ts'
import { tooManyRequests, unavailable } from '../../http/api-error.ts'
import { isClosed } from '../../http/is-closed.ts'
import { whileOpen } from '../../http/while-open.ts'

/** A client that reads nothing for this long is disconnected. */
export const idleMs = 30_000
export const pieceBytes = 256 * 1024
const retryAfterSeconds = 5

/** Limits the responses in progress of each caller and of all. A caller's only response is always allowed. */
type SendingLimit = {
  /**
   * Counts a response, or `amount` bytes of it, until it closes. Throws 429 if that is too much for the caller, 503 if
   * it is too much for all together.
   */
  reserve: (caller: string, reply: FastifyReply, amount?: number) => void
  /** Resolves when none is in progress. */
  idle: () => Promise<void>
}

export const createSendingLimit = ({ each, all }: { each: number; all: number }): SendingLimit => {
  const inProgress = new Map<string, number>()
  let total = 0
  let waiting = Promise.withResolvers<void>()
  return {
    idle: async () => {
      if (total > 0) await waiting.promise
    },
    reserve: (caller, reply, amount = 1) => {
      const own = inProgress.get(caller) ?? 0
      if (own > 0 && own + amount > each) throw tooManyRequests(retryAfterSeconds)
      if (own > 0 && total + amount > all) throw unavailable(retryAfterSeconds)
      if (isClosed(reply)) return
      inProgress.set(caller, own + amount)
      total += amount
      reply.raw.once(
        'close',
        guarded('sending: over', () => {
          const left = (inProgress.get(caller) ?? amount) - amount
          if (left > 0) inProgress.set(caller, left)
          else inProgress.delete(caller)
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

/** Answers HEAD: the headers of GET without a body. `bytes`: the length of the body, if known. */
export const sendHead = (reply: FastifyReply, bytes?: number): FastifyReply => {
  if (bytes !== undefined) reply.header('content-length', bytes)
  // A stream as body: fastify would set the content-length of an empty string to 0.
  return reply.send(Readable.from([]))
}

/**
 * Sends bytes only as fast as the client reads them, so that few are in memory. Disconnects a client that reads nothing
 * for `idleMs`, unless the next piece is still being made. `signal` aborts when the response closes.
 */
export const sendPieces = (
  reply: FastifyReply,
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  signal = whileOpen(reply),
): FastifyReply => {
  const { raw } = reply
  let isMaking = true
  const endIdle = (): void => {
    if (!isMaking) raw.destroy(new Error('The client reads nothing'))
  }
  const idle = setTimeout(guarded('sending: idle', endIdle), idleMs)
  signal.addEventListener(
    'abort',
    guarded('sending: closed', () => clearTimeout(idle)),
  )
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      isMaking = false
      for (let at = 0; at < piece.length; at += pieceBytes) {
        idle.refresh()
        yield piece.subarray(at, at + pieceBytes)
      }
      isMaking = true
    }
    // The last bytes may still wait for the client.
    isMaking = false
    idle.refresh()
  }
  return reply.send(Readable.from(watched()))
}

export const sendBytes = (reply: FastifyReply, bytes: Buffer): FastifyReply =>
  bytes.length <= pieceBytes ? reply.send(bytes) : sendPieces(reply.header('content-length', bytes.length), [bytes])
