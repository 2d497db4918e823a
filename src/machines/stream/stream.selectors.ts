import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Mask } from '../../api/contract/masks.ts'
import type { Settings } from '../../api/contract/settings.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { streamMachine } from './stream.machine.ts'

export type StreamRef = ActorRefFrom<typeof streamMachine>
type Snapshot = SnapshotFrom<typeof streamMachine>

export const selectStream = ({ context }: Snapshot) => context.stream
const noMasks: readonly Mask[] = []
export const selectMasks = ({ context }: Snapshot) => context.stream?.masks ?? noMasks
export const selectCanAdmin = ({ context }: Snapshot) => context.stream?.meta.canAdmin === true
export const selectStreamApiError = ({ context }: Snapshot) => context.apiError
export const selectIsChangingStatus = (snapshot: Snapshot) => snapshot.hasTag('busy')

export const canViewArchive = ({ meta }: Pick<Stream, 'meta'>): boolean => meta.canViewArchive || meta.canAdmin

export type Cluster = Pick<Settings, 'clusterEnabled' | 'nodeId'>

/** Whether the node of a stream is available; always, outside of a cluster or on this node (docs/behaviour.md §6). */
export const isStreamAvailable = ({ node }: Pick<Stream, 'node'>, { clusterEnabled, nodeId }: Cluster): boolean =>
  !(clusterEnabled && node.id !== nodeId && !node.available)

/** The status to show: an on-demand stream that is `pending` without viewers is `idle`, as it doesn't start. */
export const shownStatus = ({ status, live, viewers = 0 }: Pick<Stream, 'status' | 'live' | 'viewers'>): string =>
  status === 'pending' && live.onDemand && viewers === 0 ? 'idle' : status
