import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { mosaicMachine } from './mosaic.machine.ts'
import { exportsFeature, locksFeature } from './mosaic.setup.ts'
import { lockCamerasOf } from './tile-slots.ts'

export type MosaicRef = ActorRefFrom<typeof mosaicMachine>
type Snapshot = SnapshotFrom<typeof mosaicMachine>

export const selectSyncPlayback = (snapshot: Snapshot) => snapshot.children.syncPlayback
export const selectCanExport = ({ context }: Snapshot) => context.limits.features.includes(exportsFeature)
export const selectExporting = ({ context }: Snapshot) => context.exporting
/** Whether the user may lock recordings of any camera. */
export const selectCanLock = ({ context: { limits, mosaic } }: Snapshot) =>
  limits.features.includes(locksFeature) && lockCamerasOf(mosaic).some(({ mayLock }) => mayLock)
export const selectLocking = ({ context }: Snapshot) => context.locking
export const selectIsAlarmOn = ({ context }: Snapshot) => context.isAlarmOn
export const selectIsPaused = (snapshot: Snapshot) => snapshot.matches({ playback: 'paused' })
