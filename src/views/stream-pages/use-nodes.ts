import { useSelector } from '@xstate/react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Node, nodesMachine } from '../../machines/stream-pages/nodes.machine.ts'

const selectNodes = (snapshot: SnapshotFrom<typeof nodesMachine> | undefined) => snapshot?.context.nodes ?? null

/** The nodes of the cluster; null without a cluster and until they are loaded. */
export const useNodes = (actor: ActorRefFrom<typeof nodesMachine> | null): readonly Node[] | null =>
  useSelector(actor ?? undefined, selectNodes)
