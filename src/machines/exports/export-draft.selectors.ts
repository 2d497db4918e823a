import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { exportDraftMachine } from './export-draft.machine.ts'

export type ExportDraftRef = ActorRefFrom<typeof exportDraftMachine>

export const selectExportForm = ({ children }: SnapshotFrom<typeof exportDraftMachine>) => children.form
export const selectIsExportDialogOpen = (snapshot: SnapshotFrom<typeof exportDraftMachine> | undefined) =>
  snapshot !== undefined && selectExportForm(snapshot) !== undefined
