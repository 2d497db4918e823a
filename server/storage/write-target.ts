/** Where a chunk is written: the folder of its recording. `marker`: a file that exists if the volume is mounted. */
export type WriteTarget = { volume: number; folder: string; marker?: string | undefined }

/** No volume takes recordings. The recorder treats this as a disk failure. */
export class NoVolume extends Error {
  readonly code = 'EIO'
  readonly syscall = 'access'
}
