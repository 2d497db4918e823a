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

/** Asks something of the server, and again where it was too busy; throws when `signal` aborts. */
export type Patience = <T>(ask: () => Promise<Reply<T>>, signal: AbortSignal) => Promise<Reply<T>>

/**
 * Whatever is asked with one patience comes back no sooner than the server said to any of it (retry-after), twice as
 * late each time that it says so again, a minute at most. `now` is in milliseconds and never steps back.
 */
export function createPatience(now: () => number): Patience {
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
