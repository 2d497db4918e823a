import type { BucketVolume } from './bucket-volumes.ts'
import { isFullDisk } from '../store/disk-error.ts'
import { readMarker, tryToWrite, type Space } from './volume-files.ts'
import { ownVolume, type KnownVolume } from './volume-list.ts'

/**
 * `there`: the volume can be read and, if it is configured, written. `unwritable`: it can only be read. `missing`: it
 * can't be read. `away`: a bucket that doesn't answer, or answers with an error.
 */
export type VolumeState = 'there' | 'unwritable' | 'missing' | 'away'

/** For buckets, which report no limit, and for missing folders. */
export const unknownSpace: Space = { freeBytes: 0, totalBytes: 0, device: -1 }

export type ReadSpace = (path: string) => Promise<Space>
export type Checked = { state: VolumeState } & Space

export const checkFolder = async (
  { id, key, path, isListed }: KnownVolume,
  isOnly: boolean,
  readSpace: ReadSpace,
): Promise<Checked> => {
  if (id !== ownVolume && (await readMarker(path)) !== key) return { ...unknownSpace, state: 'missing' }
  const space = await readSpace(path)
  if (!isListed || isOnly) return { ...space, state: 'there' }
  // A full disk is one that takes files again once old recordings are deleted.
  const isWritable = await tryToWrite(path).then(() => true, isFullDisk)
  return { ...space, state: isWritable ? 'there' : 'unwritable' }
}

export const checkBucket = async ({ key, bucket }: BucketVolume): Promise<Checked> => {
  const found = await bucket.readMarker()
  return { ...unknownSpace, state: found === key ? 'there' : 'missing' }
}
