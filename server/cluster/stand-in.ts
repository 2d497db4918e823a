import type { Store } from '../store/store.ts'
import { UsageError } from '../usage-error.ts'
import type { Cluster } from './cluster.ts'
import { createNodeRows } from './node-rows.ts'

/** The node that a command stands in for. */
export type StandIn = Pick<Cluster, 'isShared' | 'nodeId' | 'isAvailable' | 'isLeader'>

/** The nodes that run on this database. */
const runningNodes = async (store: Store, clock: string): Promise<ReadonlySet<string>> => {
  const self = { id: '', name: '', url: '', version: '', instance: '' }
  const nodes = await createNodeRows({ store, clock }, self).read()
  return new Set(nodes.flatMap(({ id, isAvailable }) => (isAvailable ? [id] : [])))
}

/** Throws `UsageError` if nodes run on this database. */
export const requireNoNodes = async (store: Store): Promise<void> => {
  const running = [...(await runningNodes(store, 'now_ms()'))]
  if (running.length > 0) throw new UsageError(`Stop the servers of all nodes first: ${running.join(', ')}`)
}

/**
 * In a cluster, a command that works on the archive stands in for the node of NODE_ID, whose server is stopped; it
 * leads if no other node runs. Undefined without NODE_ID and nodes. Throws `UsageError` if that node runs, or if others
 * do and NODE_ID isn't set.
 */
export const standInFor = async (
  store: Store,
  nodeId: string | undefined,
  clock = 'now_ms()',
): Promise<StandIn | undefined> => {
  const running = await runningNodes(store, clock)
  if (nodeId === undefined) {
    if (running.size === 0) return undefined
    throw new UsageError(
      `The nodes ${[...running].join(', ')} run on this database: set NODE_ID to that of this machine`,
    )
  }
  if (running.has(nodeId)) throw new UsageError(`Stop the server of node ${nodeId} first`)
  return {
    isShared: true,
    nodeId,
    isAvailable: (id) => running.has(id),
    isLeader: () => running.size === 0,
  }
}
