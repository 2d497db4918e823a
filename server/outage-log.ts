import { monotonicNow } from './monotonic.ts'

/** An outage that begins sooner after the last line about a failure has none, unless it lasts until then. */
const minIntervalMs = 60_000

/** Lines of the server's own log about the outages of a stream, or of the database. */
export type OutageLog = {
  /** A failure, also a further one of the same outage. */
  failed: (reason: string) => void
  /** The outage has ended; `isBack`: as it works again, which the log then says. */
  ended: (isBack: boolean) => void
}

/** The words of both lines, and facts that they begin with. */
type Subject = { failed: string; back: string; factsOf?: () => object }

/**
 * One line as something fails and one as it works again, at most once a minute. `unlogged` in a line: how many outages
 * since the line before had none.
 */
export const createOutageLog = (
  { failed, back, factsOf = () => ({}) }: Subject,
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
      warn({ ...factsOf(), reason, ...(unlogged === 0 ? {} : { unlogged }) }, failed)
      outage.isLogged = true
      loggedAt = now()
      unlogged = 0
    },
    ended: (isBack) => {
      if (outage === undefined) return
      const seconds = Math.round((now() - outage.since) / 1000)
      if (!outage.isLogged) unlogged += 1
      else if (isBack) warn({ ...factsOf(), seconds }, back)
      outage = undefined
    },
  }
}
