import { guarded } from '../guarded.ts'
import { StoreClosed } from './connection.ts'
import { isWriteError } from './disk-error.ts'
import type { Store } from './store.ts'

/** Runs an optional write; ignores a disk or a database that takes nothing, and a store that is closed. */
export const ignoreDiskErrors = async (note: () => Promise<unknown>): Promise<void> => {
  try {
    await note()
  } catch (error) {
    if (!(error instanceof StoreClosed) && !isWriteError(error)) throw error
  }
}

/** Writes that nobody waits for, such as when a session was last seen. */
export type BackgroundWrites = {
  /** Writes in the background; lost if nothing can be written, or if too much waits already. */
  add: (write: () => Promise<unknown>) => void
  /** Resolves when what was added is written or lost. */
  written: () => Promise<void>
  /** How many wait. */
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
