import type * as z from 'zod/mini'
import type { StreamBody } from '../../src/api/contract/stream.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { validationError } from '../http/api-error.ts'

/**
 * The node that a body pins a stream to; null unpins it. Undefined: the pin stays, also if the body names the node that
 * records the stream already, as clients send back what they have read.
 */
export const pinOfBody = (
  cluster: Pick<Cluster, 'nodes' | 'pinOf' | 'holderOf'>,
  body: z.output<typeof StreamBody>,
  uid?: string,
): string | null | undefined => {
  const id = body.node?.id
  if (id === undefined) return undefined
  if (id === '') return null
  if (!cluster.nodes().some((node) => node.id === id)) throw validationError({ 'node.id': 'Unknown node' })
  const isAsRead = uid !== undefined && (cluster.holderOf(uid)?.nodeId ?? cluster.pinOf(uid)) === id
  return isAsRead ? undefined : id
}
