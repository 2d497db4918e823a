import { setTimeout as wait } from 'node:timers/promises'
import { UsageError } from '../usage-error.ts'
import type { createNodeRows } from './node-rows.ts'

const retryMs = 1000

/**
 * Joins, at the latest when the lease of a killed instance has ended. Returns the time of joining by the database's
 * clock. Rejects if another instance with this id beats.
 */
export const joinCluster = async (
  rows: Pick<ReturnType<typeof createNodeRows>, 'join' | 'lastBeat'>,
  nodeId: string,
  pause: (ms: number) => Promise<unknown> = wait,
): Promise<number> => {
  const first = await rows.lastBeat()
  while (!(await rows.join())) {
    if ((await rows.lastBeat()) !== first) {
      throw new UsageError(`Another server runs as node ${nodeId}: give each server a NODE_ID of its own`)
    }
    await pause(retryMs)
  }
  return (await rows.lastBeat()) ?? 0
}
