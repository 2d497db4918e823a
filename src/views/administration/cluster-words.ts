import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ClusterNode } from '../../api/contract/system.ts'

export const nodeName = ({ name, id }: Pick<ClusterNode, 'name' | 'id'>): string => name || id

/** Whether a node shares its database with others: only such a node reports whether it is `lost`. */
export const sharesDatabase = ({ lost }: ClusterNode): boolean => lost !== undefined

/** Why a node records a stream. */
const reasons: Readonly<Record<string, MessageDescriptor>> = {
  placed: msg`placed here when it was added`,
  failover: msg`taken over from a node that stopped responding`,
  restarted: msg`the server of this node was restarted`,
  drained: msg`taken over from a drained node`,
  pinned: msg`pinned to this node`,
  moved: msg`moved here by an administrator`,
  balanced: msg`moved here to balance the load`,
}

/** The text of a reason; one that the console doesn't know is shown as received. */
export function usePlacementReason(): (reason: string) => string {
  const { i18n } = useLingui()
  return (reason) => {
    const words = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
    return words === undefined ? reason : i18n._(words)
  }
}
