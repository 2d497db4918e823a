import type * as z from 'zod/mini'
import type { StreamBody } from '../../src/api/contract/stream.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { validationError } from '../http/api-error.ts'

/**
 * The node that a draft pins a stream to, null for none; undefined leaves the pin as it is. So does the node that
 * records the stream already, as clients send back what they have read.
 */
export const pinOfDraft = (
  cluster: Pick<Cluster, 'nodes' | 'pinOf' | 'holderOf'>,
  draft: z.output<typeof StreamBody>,
  uid?: string,
): string | null | undefined => {
  const id = draft.node?.id
  if (id === undefined) return undefined
  if (id === '') return null
  if (!cluster.nodes().some((node) => node.id === id)) throw validationError({ 'node.id': 'Unknown node' })
  const isAsRead = uid !== undefined && (cluster.holderOf(uid)?.nodeId ?? cluster.pinOf(uid)) === id
  return isAsRead ? undefined : id
}
