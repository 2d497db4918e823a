import { monotonicNow } from '../monotonic.ts'
import { StoreAway, type Connection } from './connection.ts'

/** What the calls to a database say of whether it is there. */
export type Presence = {
  /** Whether a call has found the database away since the last success of the writing connection. */
  isAway: () => boolean
  /** Whether a call has just lost its connection, or got none, and no later call has been answered. */
  isUnreachable: () => boolean
}

/** Longer than a new connection is waited for, so that attempts one after the other leave no time between them. */
const unreachableMs = 10_000

/** `back`: called when the database is there again, as others may have written meanwhile. */
export const createPresence = (back: () => void) => {
  let isAway = false
  let brokenAt = -Infinity
  /** When the latest of the calls that were answered began. */
  let answeredFrom = -Infinity

  const noteAnswer = (begunAt: number): void => {
    answeredFrom = Math.max(answeredFrom, begunAt)
    brokenAt = -Infinity
  }

  const watch = (connection: Connection, isReader: boolean): Connection => ({
    ...connection,
    call: async (request) => {
      const begunAt = monotonicNow()
      try {
        const reply = await connection.call(request)
        noteAnswer(begunAt)
        // A successful read doesn't say that writes work.
        if (isAway && !isReader) back()
        isAway &&= isReader
        return reply
      } catch (error) {
        if (error instanceof StoreAway) isAway = true
        // A refusal by the database, such as that of a standby to write, is an answer.
        if (connection.isOpen()) noteAnswer(begunAt)
        else if (begunAt >= answeredFrom) brokenAt = monotonicNow()
        throw error
      }
    },
  })

  return {
    watch,
    isAway: () => isAway,
    isUnreachable: () => monotonicNow() - brokenAt < unreachableMs,
  } satisfies Presence & { watch: typeof watch }
}
