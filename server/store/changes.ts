import { guarded } from '../guarded.ts'
import { ignoreDiskErrors } from './background-writes.ts'
import { createSerialQueue } from './serial-queue.ts'

/** What other processes write to the database: commands, and the other nodes of a cluster. */
export type Changes = {
  /** Calls `listener` when others may have changed one of the tables; never while it still runs. */
  follow: (tables: readonly string[], listener: () => Promise<unknown>) => void
  /** The tables that listeners wait for. */
  tables: () => string[]
  /** Registers that a table has changed; undefined: any may have. */
  note: (table?: string) => void
}

export const createChanges = (): Changes => {
  const followers: { tables: readonly string[]; call: () => void }[] = []
  return {
    follow: (tables, listener) => {
      const turns = createSerialQueue()
      let isWaiting = false
      const notify = async (): Promise<void> => {
        if (isWaiting) return
        isWaiting = true
        await turns(async () => {
          isWaiting = false
          await ignoreDiskErrors(listener)
        })
      }
      followers.push({ tables, call: guarded('store: changes of others', notify) })
    },
    tables: () => [...new Set(followers.flatMap(({ tables }) => tables))],
    note: (table) => {
      for (const { tables, call } of followers) if (table === undefined || tables.includes(table)) call()
    },
  }
}
