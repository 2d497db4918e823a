import { setTimeout as pause } from 'node:timers/promises'
import { StoreAway } from './connection.ts'

export const defaultRetryMs = 5000

/** Runs `work`, and again as long as it finds the database away; undefined once `signal` aborts. */
export const untilThere = async <T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  retryMs = defaultRetryMs,
): Promise<T | undefined> => {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreAway)) throw error
    }
    await pause(retryMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return undefined
  }
}
