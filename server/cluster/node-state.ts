import * as z from 'zod/mini'
import { bit, type Store } from '../store/store.ts'
import { clusterSteps } from './tables.ts'

export type NodeState = { isDrained: () => boolean; setDrained: (isDrained: boolean) => Promise<void> }

export const createNodeState = async (store: Store): Promise<NodeState> => {
  await store.migrate('cluster', clusterSteps)
  const stored = await store.get(z.object({ isDrained: bit }), 'SELECT is_drained AS isDrained FROM node_state')
  let isDrained = stored?.isDrained ?? false
  return {
    isDrained: () => isDrained,
    setDrained: async (wanted) => {
      await store.run(
        `INSERT INTO node_state (id, is_drained) VALUES (1, ?)
         ON CONFLICT (id) DO UPDATE SET is_drained = excluded.is_drained`,
        Number(wanted),
      )
      isDrained = wanted
    },
  }
}
