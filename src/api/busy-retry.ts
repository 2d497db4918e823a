import type { Reply } from './reply.ts'

const minMs = 1000
const maxMs = 60_000

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** Repeats a request while the server answers that it is busy; throws when `signal` aborts. */
export type BusyRetry = <T>(ask: () => Promise<Reply<T>>, signal: AbortSignal) => Promise<Reply<T>>

/**
 * Requests made with the same instance share the server's retry-after delay, doubled with each further one, up to a
 * minute. `now`: milliseconds of a clock that never steps back.
 */
export function createBusyRetry(now: () => number): BusyRetry {
  const server = { freeAt: 0, apiErrors: 0 }
  return async (ask, signal) => {
    for (;;) {
      while (server.freeAt > now()) await rest(server.freeAt - now(), signal)
      const reply = await ask()
      const seconds = reply.ok ? null : reply.apiError.retryAfterSeconds
      if (seconds === null) {
        if (reply.ok) server.apiErrors = 0
        return reply
      }
      if (server.freeAt <= now()) server.apiErrors += 1
      const pause = Math.max(minMs, seconds * 1000) * 2 ** (server.apiErrors - 1)
      server.freeAt = Math.max(server.freeAt, now() + Math.min(maxMs, pause))
    }
  }
}
