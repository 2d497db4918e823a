import { isWriteError } from '../store/disk-error.ts'

/** Writes that failed and are repeated. A later write of the same key replaces the earlier one. */
export const createFailedWrites = (isDatabaseAway: () => boolean) => {
  const failed = new Map<string, () => Promise<unknown>>()

  /** While the database is away, each further write would wait for seconds, and fail as the last one. */
  const isHoldingBack = (): boolean => isDatabaseAway() && failed.size > 0

  return {
    isHoldingBack,

    /** Runs a write, or leaves it to `repeat`. */
    write: async (key: string, work: () => Promise<unknown>): Promise<void> => {
      if (isHoldingBack()) {
        failed.set(key, work)
        return
      }
      try {
        await work()
        failed.delete(key)
      } catch (error) {
        if (!isWriteError(error)) throw error
        failed.set(key, work)
      }
    },

    /** Repeats the writes, one only while the database is away. */
    repeat: async (): Promise<void> => {
      for (const [key, work] of failed) {
        try {
          await work()
          // A later write may have replaced it meanwhile.
          if (failed.get(key) === work) failed.delete(key)
        } catch (error) {
          if (!isWriteError(error)) throw error
        }
        if (isDatabaseAway()) return
      }
    },
  }
}
