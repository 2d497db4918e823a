import type { Agent } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { processorMs } from './processes.ts'
import type { Server } from './server.ts'
import { timed } from './timed.ts'

const startingMs = 120_000

/**
 * Waits until a server has started its 10,000 streams, as everything is slower before: it answers quickly, and takes
 * little of the processor.
 */
export async function untilStarted(agent: Agent, { address, pid }: Pick<Server, 'address' | 'pid'>): Promise<void> {
  const until = performance.now() + startingMs
  let quietInARow = 0
  while (quietInARow < 5) {
    if (performance.now() > until) throw new Error('the server is still starting its streams')
    const [before, from] = [processorMs(pid), performance.now()]
    await after(1000)
    const busy = (processorMs(pid) - before) / (performance.now() - from)
    const { ms } = await timed(agent, `${address}/v1/system/health`, {})
    quietInARow = ms < 20 && busy < 0.25 ? quietInARow + 1 : 0
  }
}
