/** Where a chunk goes: the folder of its stream on a volume. `marker`: a file that is there if the volume is. */
export type Place = { volume: number; folder: string; marker?: string | undefined }

/** No volume takes what is recorded. To the recorder it is as a disk that fails. */
export class NoVolume extends Error {
  readonly code = 'EIO'
  readonly syscall = 'access'
}
