import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { exportDraftMachine } from './export-draft.machine.ts'
import type { KeptDraft } from './export-ranges.ts'

export type ExportDraftRef = ActorRefFrom<typeof exportDraftMachine>
type Snapshot = SnapshotFrom<typeof exportDraftMachine>

export const selectExportDraft = ({ context }: Snapshot) => context
export const selectExportForm = ({ children }: Snapshot) => children.form
export const selectIsMeasuringParts = (snapshot: Snapshot) => snapshot.hasTag('busy')
/** How many ranges the next dialog begins with, in a player or a mosaic. */
export const selectKeptRanges = (snapshot: { context: { kept: KeptDraft } } | undefined) =>
  snapshot?.context.kept.ranges.length ?? 0
export const selectIsExportDialogOpen = (snapshot: Snapshot | undefined) =>
  snapshot !== undefined && selectExportForm(snapshot) !== undefined
