import { monotonicNow } from '../monotonic.ts'
import { StoreAway, type Connection } from './connection.ts'

/** `away`: called for each call that finds the database away; `back`: once it is there again. */
type PresenceListener = { away?: (error: StoreAway) => void; back: () => void }

/** What the calls to a database say of whether it is there. */
export type Presence = {
  /** Whether a call has found the database away since the last success of the writing connection. */
  isAway: () => boolean
  /** Whether a call has just lost its connection, or got none, and no later call has been answered. */
  isUnreachable: () => boolean
  follow: (listener: PresenceListener) => void
}

/** Longer than a new connection is waited for, so that attempts one after the other leave no time between them. */
const unreachableMs = 10_000

export const createPresence = () => {
  const listeners: PresenceListener[] = []
  let isAway = false
  let brokenAt = -Infinity
  /** When the latest of the calls that were answered began. */
  let answeredFrom = -Infinity

  const noteAnswer = (begunAt: number): void => {
    answeredFrom = Math.max(answeredFrom, begunAt)
    brokenAt = -Infinity
  }

  const noteAway = (error: StoreAway): void => {
    isAway = true
    for (const { away } of listeners) away?.(error)
  }

  const noteBack = (): void => {
    isAway = false
    for (const { back } of listeners) back()
  }

  const watch = (connection: Connection, isReader: boolean): Connection => ({
    ...connection,
    call: async (request) => {
      const begunAt = monotonicNow()
      try {
        const reply = await connection.call(request)
        noteAnswer(begunAt)
        // A successful read doesn't say that writes work.
        if (isAway && !isReader) noteBack()
        return reply
      } catch (error) {
        if (error instanceof StoreAway) noteAway(error)
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
    follow: (listener) => void listeners.push(listener),
  } satisfies Presence & { watch: typeof watch }
}
