import { monotonicNow } from '../monotonic.ts'

/** An outage that begins sooner after the last line about a failure has none, unless it lasts until then. */
const minIntervalMs = 60_000

/** Lines of the server's own log about the outages of a stream. */
export type OutageLog = {
  /** A failure of the stream, also a further one of the same outage. */
  failed: (reason: string) => void
  /** The outage has ended; `isRecorded`: as the stream records again. */
  ended: (isRecorded: boolean) => void
}

/** For a substream, whose outages only its stream's log has. */
export const noOutageLog: OutageLog = { failed: () => undefined, ended: () => undefined }

/**
 * One line as a stream fails and one as it records again, at most once a minute. `unlogged` in a line: how many outages
 * since the line before had none.
 */
export const createOutageLog = (
  uid: string,
  nameOf: () => string,
  warn: (detail: object, message: string) => void,
  now = monotonicNow,
): OutageLog => {
  let outage: { since: number; isLogged: boolean } | undefined
  let loggedAt = -Infinity
  let unlogged = 0
  return {
    failed: (reason) => {
      outage ??= { since: now(), isLogged: false }
      if (outage.isLogged || now() - loggedAt < minIntervalMs) return
      warn({ uid, name: nameOf(), reason, ...(unlogged === 0 ? {} : { unlogged }) }, 'a stream failed')
      outage.isLogged = true
      loggedAt = now()
      unlogged = 0
    },
    ended: (isRecorded) => {
      if (outage === undefined) return
      const seconds = Math.round((now() - outage.since) / 1000)
      if (!outage.isLogged) unlogged += 1
      else if (isRecorded) warn({ uid, name: nameOf(), seconds }, 'a stream records again')
      outage = undefined
    },
  }
}
