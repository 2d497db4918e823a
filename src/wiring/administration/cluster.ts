import { fromPromise } from 'xstate'
import { mapReply } from '../../api/map-reply.ts'
import { drainNode, getClusterNodes, removeNode } from '../../api/resources/administration.ts'
import { clusterMachine } from '../../machines/administration/administration.machines.ts'
import { ClusterPage } from '../../views/administration/ClusterPage.tsx'
import { definePage } from '../page.ts'
import { visibility } from '../shared/visibility.ts'

export const page = definePage({
  logic: clusterMachine.provide({
    actors: {
      fetchResource: fromPromise(async ({ signal }) => mapReply(await getClusterNodes(signal), ({ items }) => items)),
      perform: fromPromise(({ input: { command }, signal }) =>
        command.kind === 'drain' ? drainNode(command.id, command.drained, signal) : removeNode(command.id, signal),
      ),
      visibility,
    },
  }),
  View: ClusterPage,
})
