import { hash } from 'node:crypto'

/** A number for each pair of stream and node, evenly spread and the same on all nodes. */
const weightOf = (uid: string, nodeId: string): number => hash('sha256', `${nodeId} ${uid}`, 'buffer').readUIntBE(0, 6)

/**
 * The node that should record a stream: the one it is pinned to if that one takes streams, else one by rendezvous
 * hashing, so that a node that comes or goes moves only its own streams. Undefined if no node takes streams.
 */
export const placedOn = (uid: string, pinnedTo: string | undefined, takers: readonly string[]): string | undefined => {
  if (pinnedTo !== undefined && takers.includes(pinnedTo)) return pinnedTo
  let best: string | undefined
  let highest = -1
  for (const id of takers) {
    const weight = weightOf(uid, id)
    if (weight > highest || (weight === highest && best !== undefined && id < best)) [best, highest] = [id, weight]
  }
  return best
}
