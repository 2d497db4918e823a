import { assign, fromPromise, setup } from 'xstate'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'

export interface Node {
  id: string
  name: string
  available: boolean
}

/** The nodes of the cluster for a field to choose from, fetched once; null if that failed: users type a node's id. */
export const nodesMachine = setup({
  types: { context: {} as { nodes: readonly Node[] | null } },
  actors: { fetchNodes: fromPromise<Reply<{ items: readonly Node[] }>>(notProvided) },
}).createMachine({
  id: 'nodes',
  context: { nodes: null },
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'fetchNodes',
        src: 'fetchNodes',
        onDone: {
          target: 'settled',
          actions: assign({ nodes: ({ event }) => (event.output.ok ? event.output.value.items : null) }),
        },
        onError: 'settled',
      },
    },
    settled: {},
  },
})
