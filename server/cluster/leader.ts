import { guarded } from '../guarded.ts'

export type Leadership = {
  isLeader: () => boolean
  /** As `untilLeader` of the cluster. */
  untilLeader: (signal: AbortSignal) => Promise<AbortSignal>
  /** This node leads until that moment of `monotonic`; undefined: another node leads. */
  set: (until: number | undefined) => void
}

/** What a node knows of its leadership, which ends by itself unless it is renewed. */
export const createLeadership = (monotonic: () => number): Leadership => {
  let until = -Infinity
  let term: AbortController | undefined
  let timer: NodeJS.Timeout | undefined
  let begun = Promise.withResolvers<AbortSignal>()

  const end = (): void => {
    clearTimeout(timer)
    until = -Infinity
    if (term === undefined) return
    term.abort()
    term = undefined
    begun = Promise.withResolvers()
  }
  const check = (): void => {
    clearTimeout(timer)
    const leftMs = until - monotonic()
    if (leftMs > 0) timer = setTimeout(guarded('cluster: leadership', check), leftMs)
    else end()
  }

  return {
    isLeader: () => monotonic() < until,
    untilLeader: async (signal) => {
      const aborted = Promise.withResolvers<AbortSignal>()
      const abort = guarded('cluster: abort', () => aborted.resolve(signal))
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      const first = await Promise.race([begun.promise, aborted.promise])
      signal.removeEventListener('abort', abort)
      return first === signal ? signal : AbortSignal.any([first, signal])
    },
    set: (moment) => {
      if (moment === undefined) return end()
      until = moment
      if (term === undefined) {
        term = new AbortController()
        begun.resolve(term.signal)
      }
      return check()
    },
  }
}
