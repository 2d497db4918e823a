import { setTimeout as pause } from 'node:timers/promises'
import { StoreAway } from './connection.ts'

const defaultRetryMs = 5000

/**
 * Runs `work`, and again as long as it finds the database away, or fails in another way that passes; undefined once
 * `signal` aborts.
 */
export const untilThere = async <T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  retryMs = defaultRetryMs,
  isPassing = (error: unknown): boolean => error instanceof StoreAway,
): Promise<T | undefined> => {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    await pause(retryMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return undefined
  }
}
