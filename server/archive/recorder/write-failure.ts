import { isDiskError } from '../../store/disk-error.ts'

export class SlowDisk extends Error {}

/** Why something couldn't be written: the disk is `slow` or `full`, else the code of the error. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof SlowDisk) return 'slow'
  if (isDiskError(error)) return 'full'
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
