import { ignoring, sealedFile } from '../../storage/folders.ts'
import { ApiError } from '../../http/api-error.ts'
import { StorageAway, type Allocate, type ChunkStorage, type Range } from '../../storage/chunk-storage.ts'
import type { Volumes } from '../../storage/volumes.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import type { Segment } from '../format/segment.ts'

/** Where the bytes of a segment, or of one of its parts, are: in a file, or in memory if no file has them. */
export type SegmentLocation = Pick<Segment, 'start' | 'volume' | 'file' | 'offset' | 'bytes'> & {
  /** Reads the whole segment from memory; undefined once it is dropped. */
  readFromMemory?: () => Promise<Buffer | undefined>
}

/** Reads a segment, or one of its parts, or only a range of these. Rejects if it no longer exists. */
export const readSegment = async (
  storage: Pick<ChunkStorage, 'read'>,
  uid: string,
  { file, offset, bytes, readFromMemory }: SegmentLocation,
  signal?: AbortSignal,
  within: Range = { offset: 0, bytes },
  allocate?: Allocate,
): Promise<Buffer> => {
  const range = { offset: offset + within.offset, bytes: within.bytes }
  if (readFromMemory !== undefined) {
    const whole = await readFromMemory()
    if (whole === undefined) throw new Error('The segment is no longer in memory')
    return whole.subarray(range.offset, range.offset + range.bytes)
  }
  // A spool that was sealed meanwhile has the name of its chunk.
  const sealed = sealedFile(file)
  const found = await storage
    .read(uid, file, range, signal, allocate)
    .catch(sealed === undefined ? undefined : ignoring('ENOENT'))
  return found ?? storage.read(uid, sealed ?? file, range, signal, allocate)
}

/**
 * Rejects with `StorageAway` if the storage doesn't answer, with another error if the segment no longer exists.
 * `within`: a range of the segment; all of it by default. `allocate`: as for `ChunkStorage.read`.
 */
export type ReadSegment = (
  uid: string,
  location: SegmentLocation,
  signal?: AbortSignal,
  within?: Range,
  allocate?: Allocate,
) => Promise<Buffer>

/** For `catch`: undefined if a segment no longer exists. Rethrows where a later try may succeed. */
export const undefinedIfGone = (error: unknown): undefined => {
  if (error instanceof StorageAway || error instanceof ApiError) throw error
  return undefined
}

/** Reads as `readSegment` does, and looks a segment up again if it was moved to another file or volume meanwhile. */
export const createReading =
  (index: SegmentIndex, volumes: Pick<Volumes, 'storage'>): ReadSegment =>
  async (uid, location, signal, within, allocate) => {
    try {
      return await readSegment(volumes.storage(location.volume), uid, location, signal, within, allocate)
    } catch (error) {
      if (ignoring('ENOENT')(error) !== undefined) throw error
      const current = await index.startingAt(uid, location.start)
      const isSame = current?.file === location.file && current.volume === location.volume
      if (current === undefined || isSame || current.bytes !== location.bytes) throw error
      return readSegment(volumes.storage(current.volume), uid, current, signal, within, allocate)
    }
  }
