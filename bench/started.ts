import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import type { Server } from './server.ts'

/** The unit of times in `/proc` (`getconf CLK_TCK` is 100). */
const tickMs = 10
const startingMs = 120_000

/** The processor time of the server until now, in milliseconds, which doesn't depend on the load of the machine. */
export const processorTime = (pid: number | null): number => {
  const [, user = 0, system = 0] =
    /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.map(Number) ?? []
  return (user + system) * tickMs
}

/**
 * Waits until a server has started its 10,000 streams, as everything is slower before: it answers quickly, and takes
 * little of the processor.
 */
export async function untilStarted({ address, pid }: Pick<Server, 'address' | 'pid'>): Promise<void> {
  const until = performance.now() + startingMs
  let quietInARow = 0
  while (quietInARow < 5) {
    if (performance.now() > until) throw new Error('the server is still starting its streams')
    const [before, from] = [processorTime(pid), performance.now()]
    await after(1000)
    const asked = performance.now()
    const busy = (processorTime(pid) - before) / (asked - from)
    await fetch(`${address}/v1/system/health`)
    quietInARow = performance.now() - asked < 20 && busy < 0.25 ? quietInARow + 1 : 0
  }
}
