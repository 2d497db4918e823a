import type { Reply } from './reply.ts'

const minDelayMs = 1000
const maxDelayMs = 60_000

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Repeats a request while the server answers with `retry-after`; throws when `signal` aborts. */
export type BusyRetry = <T>(request: () => Promise<Reply<T>>, signal: AbortSignal) => Promise<Reply<T>>

/**
 * Requests of one instance wait together: for the server's retry-after, doubled with every refusal in a row, up to a
 * minute. `now`: milliseconds of a clock that never steps back.
 */
export function createBusyRetry(now: () => number): BusyRetry {
  const server = { freeAt: 0, refusals: 0 }
  return async (request, signal) => {
    for (;;) {
      while (server.freeAt > now()) await delay(server.freeAt - now(), signal)
      const reply = await request()
      const seconds = reply.ok ? null : reply.apiError.retryAfterSeconds
      if (seconds === null) {
        if (reply.ok) server.refusals = 0
        return reply
      }
      if (server.freeAt <= now()) server.refusals += 1
      const delayMs = Math.max(minDelayMs, seconds * 1000) * 2 ** (server.refusals - 1)
      server.freeAt = Math.max(server.freeAt, now() + Math.min(maxDelayMs, delayMs))
    }
  }
}
