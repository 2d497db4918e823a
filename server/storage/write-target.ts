/** Where a chunk is written: the stream's folder on a volume. `marker`: a file that exists if the volume is mounted. */
export type WriteTarget = { volume: number; folder: string; marker?: string | undefined }

/** No volume accepts recordings. The recorder treats it as a disk failure. */
export class NoVolume extends Error {
  readonly code = 'EIO'
  readonly syscall = 'access'
}
