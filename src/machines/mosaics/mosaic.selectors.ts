import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { mosaicMachine } from './mosaic.machine.ts'
import { exportsFeature } from './mosaic.setup.ts'

export type MosaicRef = ActorRefFrom<typeof mosaicMachine>
type Snapshot = SnapshotFrom<typeof mosaicMachine>

export const selectSyncPlayback = (snapshot: Snapshot) => snapshot.children.syncPlayback
export const selectCanExport = ({ context }: Snapshot) => context.limits.features.includes(exportsFeature)
export const selectExporting = ({ context }: Snapshot) => context.exporting
export const selectIsAlarmOn = ({ context }: Snapshot) => context.isAlarmOn
export const selectIsPaused = (snapshot: Snapshot) => snapshot.matches({ playback: 'paused' })
