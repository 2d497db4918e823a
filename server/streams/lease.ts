import { guarded } from '../guarded.ts'

export type Lease = {
  holds: () => boolean
  extend: () => void
  /** Calls `ended` at its end, until {@link Lease.rest}. */
  watch: () => void
  rest: () => void
}

const leaseMs = 15_000
const minMs = 50

export const createLease = (now: () => number, ended: () => void): Lease => {
  let until = 0
  let timer: NodeJS.Timeout | undefined

  const holds = (): boolean => {
    const left = until - now()
    // More is left only after a clock set back.
    return left > 0 && left <= leaseMs
  }
  const watch = (): void => {
    clearTimeout(timer)
    const check = () => (holds() ? watch() : ended())
    timer = setTimeout(guarded('stream: lease', check), Math.max(minMs, Math.min(leaseMs, until - now())))
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
