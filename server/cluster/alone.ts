import { hostname } from 'node:os'
import * as z from 'zod/mini'
import { bit, type Store } from '../store/store.ts'
import type { Cluster, ClusterMember, Tenure } from './cluster.ts'

const tenure: Tenure = { epoch: 0, since: 0, isValid: () => true }

type Self = { store: Store; nodeId: string; version: string; name: () => string }

/** One server without a cluster: it holds every stream and always leads. Drained, it records nothing. */
export const createAlone = async ({ store, nodeId, version, name }: Self): Promise<Cluster> => {
  const stored = await store.get(z.object({ isDrained: bit }), 'SELECT is_drained AS isDrained FROM node_state')
  let isDrained = stored?.isDrained ?? false
  const factSources: Cluster['factSources'] = []

  const self = (): ClusterMember => ({
    id: nodeId,
    name: name(),
    url: hostname(),
    version,
    isAvailable: true,
    isLost: false,
    isDrained,
    lastBeatAt: 0,
    facts: Object.assign({}, ...factSources.map((source) => source())),
  })

  return {
    nodeId,
    previousBeatAt: undefined,
    isShared: false,
    nodes: () => [self()],
    isAvailable: (id) => id === nodeId,
    isDrained: (id) => id === nodeId && isDrained,
    holderOf: () => ({ nodeId, epoch: 0, since: 0, reason: 'placed' }),
    pinOf: () => undefined,
    tenureOf: () => tenure,
    assignmentOf: () => 'holding',
    onAssignment: () => undefined,
    takeOver: async () => false,
    isLeader: () => true,
    untilLeader: async (signal) => signal,
    setDrained: async (id, willBeDrained) => {
      if (id !== nodeId) return false
      await store.run(
        `INSERT INTO node_state (id, is_drained) VALUES (1, ?)
         ON CONFLICT (id) DO UPDATE SET is_drained = excluded.is_drained`,
        Number(willBeDrained),
      )
      isDrained = willBeDrained
      return true
    },
    pin: async () => undefined,
    move: async () => undefined,
    remove: async () => false,
    factSources,
    setLiveness: () => undefined,
    start: async () => undefined,
    refresh: async () => undefined,
    clockAheadMs: () => 0,
    isClockSkewed: () => false,
    onClockCorrection: () => undefined,
    stop: async () => undefined,
  }
}
