import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { findCamerasMachine } from '../../machines/stream-pages/find-cameras.machine.ts'

export type FindCamerasRef = ActorRefFrom<typeof findCamerasMachine>
type Snapshot = SnapshotFrom<typeof findCamerasMachine>

export const selectIsSearching = (snapshot: Snapshot) => snapshot.matches({ search: 'searching' })
export const selectIsQuerying = (snapshot: Snapshot) => snapshot.matches({ querying: 'querying' })
