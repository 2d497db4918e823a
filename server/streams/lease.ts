import { guarded } from '../guarded.ts'
import { monotonicNow } from '../monotonic.ts'

export type Lease = {
  holds: () => boolean
  extend: () => void
  /** Calls `onEnd` once the lease ends, until {@link Lease.unwatch}. */
  watch: () => void
  unwatch: () => void
}

const leaseMs = 15_000
/** A timer may fire a little early: the next check comes after this. */
const minMs = 50

/** The lease of an on-demand stream (glossary). */
export const createLease = (onEnd: () => void, now = monotonicNow): Lease => {
  let until = 0
  let timer: NodeJS.Timeout | undefined

  const holds = (): boolean => now() < until
  const watch = (): void => {
    clearTimeout(timer)
    const check = () => (holds() ? watch() : onEnd())
    timer = setTimeout(guarded('stream: lease', check), Math.max(minMs, until - now()))
  }
  return {
    holds,
    extend: () => {
      until = now() + leaseMs
    },
    watch,
    unwatch: () => clearTimeout(timer),
  }
}
