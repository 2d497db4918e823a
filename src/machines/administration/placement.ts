import type { PlacedStream } from '../../api/contract/cluster.ts'
import type { ClusterNode } from '../../api/contract/system.ts'
import { shownStatus } from '../stream/stream.selectors.ts'

export interface NodeStreams {
  /** Empty for the streams that no known node records. */
  nodeId: string
  streams: readonly PlacedStream[]
}

const statusOrder = ['failed', 'pending', 'running', 'idle', 'paused']
const rankOf = (stream: PlacedStream): number => {
  const rank = statusOrder.indexOf(shownStatus(stream))
  return rank === -1 ? statusOrder.length : rank
}

/** Failed streams first, then by name. */
const byStatus = (one: PlacedStream, other: PlacedStream): number =>
  rankOf(one) - rankOf(other) || one.name.localeCompare(other.name)

/** The streams of each node, in the order of the nodes; last, if there are any, those that no known node records. */
export function streamsByNode(nodes: readonly ClusterNode[], streams: readonly PlacedStream[]): readonly NodeStreams[] {
  const known = new Set(nodes.map(({ id }) => id))
  const ordered = streams.toSorted(byStatus)
  const byNode = nodes.map(({ id }) => ({ nodeId: id, streams: ordered.filter(({ nodeId }) => nodeId === id) }))
  const others = ordered.filter(({ nodeId }) => !known.has(nodeId))
  return others.length === 0 ? byNode : [...byNode, { nodeId: '', streams: others }]
}

/** How many streams a drained node still records; 0 if that isn't known. */
export const streamsToHandOver = (
  { id, available, drained }: ClusterNode,
  streams: readonly PlacedStream[] | null,
): number => (available && drained ? (streams ?? []).filter(({ nodeId }) => nodeId === id).length : 0)

/** The nodes that take streams now. */
export const takingNodes = (nodes: readonly ClusterNode[]): readonly ClusterNode[] =>
  nodes.filter(({ available, drained }) => available && !drained)
