import { fromPromise } from 'xstate'
import { mapReply } from '../../api/map-reply.ts'
import type { Reply } from '../../api/reply.ts'
import {
  drainNode,
  getClusterNodes,
  getPlacedStreams,
  moveStream,
  pinStream,
  removeNode,
} from '../../api/resources/administration.ts'
import {
  type Cluster,
  type ClusterCommand,
  clusterMachine,
} from '../../machines/administration/administration.machines.ts'
import { ClusterPage } from '../../views/administration/ClusterPage.tsx'
import { definePage } from '../page.ts'
import { visibility } from '../shared/visibility.ts'

async function fetchCluster(hasPlacement: boolean, signal: AbortSignal): Promise<Reply<Cluster>> {
  const [nodes, streams] = await Promise.all([getClusterNodes(signal), hasPlacement ? getPlacedStreams(signal) : null])
  if (!nodes.ok) return nodes
  const { items } = nodes.value
  if (streams === null) return { ...nodes, value: { nodes: items, streams: null } }
  return mapReply(streams, (placed) => ({ nodes: items, streams: placed.items }))
}

function perform(command: ClusterCommand, signal: AbortSignal): Promise<Reply<unknown>> {
  switch (command.kind) {
    case 'drain':
      return drainNode(command.id, command.drained, signal)
    case 'remove':
      return removeNode(command.id, signal)
    case 'move':
      return moveStream(command.streamId, command.nodeId, signal)
    case 'pin':
      return pinStream(command.streamId, command.nodeId, signal)
  }
}

export const page = definePage({
  logic: clusterMachine.provide({
    actors: {
      fetchResource: fromPromise(({ input: { query }, signal }) => fetchCluster(query.hasPlacement, signal)),
      perform: fromPromise(({ input: { command }, signal }) => perform(command, signal)),
      visibility,
    },
  }),
  View: ClusterPage,
})
