import type { ChunkStorage } from './chunk-storage.ts'
import type { NodeReader } from './node-volumes.ts'
import type { VolumeState } from './volume-checks.ts'
import type { Space } from './volume-files.ts'
import type { KnownVolume } from './volume-list.ts'
import type { WriteTarget } from './write-target.ts'

export type Volume = Pick<KnownVolume, 'id' | 'path' | 'isListed'> & Space & { state: VolumeState; isBucket: boolean }

export type Volumes = {
  all: () => readonly Volume[]
  /** The volumes that aren't missing, buckets among them. */
  available: () => readonly Volume[]
  /** The folders among `available`. Recordings are written to folders first, and from there to a bucket. */
  folders: () => readonly Volume[]
  isBucket: (id: number) => boolean
  /** The ids of the folders of other nodes, which are in none of the lists. */
  elsewhere: () => readonly number[]
  /** Whether a chunk that is deleted there becomes garbage: in a bucket, and on the disk of another node. */
  leavesGarbage: (id: number) => boolean
  /** Whether this server removes the garbage of a volume. */
  collectsGarbage: (id: number) => boolean
  /** Gives the function that reads what is on the disks of other nodes. */
  setNodeReader: (reader: NodeReader) => void
  /** Gives the function that finds the start of the chunk that is deleted next on a full volume, epoch milliseconds. */
  setNextDeleted: (nextDeletedOn: (id: number) => Promise<number | undefined>) => void
  /** The id of the bucket that chunks are handed in to; undefined without one. */
  bucket: () => number | undefined
  /** Whether a full disk deletes its oldest chunks. With a bucket, only if the options say so. */
  deletesOldest: boolean
  /** Whether all disks are full and recording waits until the bucket has taken chunks. */
  isFull: () => boolean
  /** The storage of a volume. Throws `NoVolume`. */
  storage: (id: number) => ChunkStorage
  isMissing: (id: number) => boolean
  /** Since when recordings are written to the mount point of the volume's disk, which isn't mounted; else undefined. */
  unmountedSince: (id: number) => number | undefined
  /** Whether a volume is mounted, checked now: only then does an absent file count as lost. */
  verify: (id: number) => Promise<boolean>
  /** The folder of a recording on a volume. Throws `NoVolume`, for a bucket too. */
  folder: (id: number, uid: string) => string
  /** Chooses where the next chunk of a recording is written. Throws `NoVolume`. */
  targetFor: (uid: string) => WriteTarget
  /** Registers a failed write: other volumes are preferred for a while. */
  markFailed: (id: number) => void
  /** Checks each volume and writes to the index which ones are missing. */
  refresh: () => Promise<void>
  /** Called when a missing folder is available again. */
  returnListeners: (() => void)[]
  stop: () => Promise<void>
}
