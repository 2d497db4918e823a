import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { exportDraftMachine } from './export-draft.machine.ts'

export type ExportDraftRef = ActorRefFrom<typeof exportDraftMachine>
type Snapshot = SnapshotFrom<typeof exportDraftMachine>

export const selectExportDraft = ({ context }: Snapshot) => context
export const selectExportForm = ({ children }: Snapshot) => children.form
export const selectIsMeasuringParts = (snapshot: Snapshot) => snapshot.hasTag('busy')
/** How many ranges the next dialog begins with. */
export const selectKeptRanges = (snapshot: Snapshot | undefined) => snapshot?.context.kept.ranges.length ?? 0
export const selectIsExportDialogOpen = (snapshot: Snapshot | undefined) =>
  snapshot !== undefined && selectExportForm(snapshot) !== undefined
