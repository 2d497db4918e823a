import { isDiskError } from '../store/disk-error.ts'

/** An export failed for a reason that the user is shown. The message is its code (docs/wire.md §6). */
export class ExportFailed extends Error {}

/** The code of the reason for which an export failed. */
export const failureReason = (error: unknown): string => {
  if (error instanceof ExportFailed) return error.message
  return isDiskError(error) ? 'DISK_FULL' : 'InternalServerError'
}
