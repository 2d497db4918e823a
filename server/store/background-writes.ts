import { guarded } from '../guarded.ts'
import { StoreClosed } from './connection.ts'
import { isWriteError } from './disk-error.ts'
import type { Store } from './store.ts'

/** Runs an optional write. Ignores the errors of a disk or database that can't be written, and of a closed store. */
export const ignoreDiskErrors = async (write: () => Promise<unknown>): Promise<void> => {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof StoreClosed) && !isWriteError(error)) throw error
  }
}

/** Writes that nobody waits for, such as the time when a session was last used. */
export type BackgroundWrites = {
  /** Runs a write in the background. It is lost if nothing can be written, or if too many writes wait already. */
  add: (write: () => Promise<unknown>) => void
  /** Resolves when all writes added before have succeeded or are lost. */
  written: () => Promise<void>
  /** How many writes wait. */
  pending: () => number
}

const maxWaiting = 5000

export const createBackgroundWrites = (store: Store): BackgroundWrites => {
  const waiting = new Set<Promise<void>>()
  return {
    add: (write) => {
      if (!store.isOpen() || waiting.size >= maxWaiting) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(promise)
      const end = () => {
        waiting.delete(promise)
        resolve()
      }
      const attempt = async () => {
        await ignoreDiskErrors(write)
        end()
      }
      guarded('store: background write', attempt, end)()
    },
    written: async () => {
      await Promise.all(waiting)
    },
    pending: () => waiting.size,
  }
}
