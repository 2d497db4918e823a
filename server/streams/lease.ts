import { guarded } from '../guarded.ts'

/** Somebody watches: it holds for a while after each call. */
export type Lease = {
  holds: () => boolean
  extend: () => void
  /** Tells when it ends, until {@link Lease.rest}. */
  watch: () => void
  rest: () => void
}

const leaseMs = 15_000
const leastMs = 50

/** `ended` is called when nobody has called for a while. */
export const createLease = (now: () => number, ended: () => void): Lease => {
  let until = 0
  let timer: NodeJS.Timeout | undefined

  const holds = (): boolean => {
    const left = until - now()
    // More would be left where the clock was set back.
    return left > 0 && left <= leaseMs
  }
  const watch = (): void => {
    clearTimeout(timer)
    const check = () => (holds() ? watch() : ended())
    timer = setTimeout(guarded('stream: lease', check), Math.max(leastMs, Math.min(leaseMs, until - now())))
  }
  return {
    holds,
    extend: () => {
      until = now() + leaseMs
    },
    watch,
    rest: () => clearTimeout(timer),
  }
}
