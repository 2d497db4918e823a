import { setTimeout as after } from 'node:timers/promises'
import { StoreAway } from './connection.ts'
import { openDatabaseOf } from './open.ts'

const firstPauseMs = 1000
const maxPauseMs = 30_000

/**
 * Opens a database as `openDatabaseOf` does, and waits while it is away: when the host boots, PostgreSQL may start
 * after this server. `report` gets a line before each pause; pauses grow.
 */
export const openWhenThere =
  (report: (line: string) => void, pause: (ms: number) => Promise<unknown> = after): typeof openDatabaseOf =>
  async (file, options, schema) => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      try {
        return await openDatabaseOf(file, options, schema)
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error
        report(`${error.message}. Trying again in ${pauseMs / 1000} s.`)
        await pause(pauseMs)
      }
    }
  }
