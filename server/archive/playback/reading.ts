import { ignoring, sealedFile } from '../../storage/folders.ts'
import { ApiError } from '../../http/api-error.ts'
import { StorageAway, type ChunkStorage, type Range, type ReadOptions } from '../../storage/chunk-storage.ts'
import type { Volumes } from '../../storage/volumes.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import type { Segment } from '../format/segment.ts'

/** Where the bytes of a segment, or of one of its parts, are: in a file, or in memory if no file has them. */
export type SegmentLocation = Pick<Segment, 'start' | 'volume' | 'file' | 'offset' | 'bytes'> & {
  /** Reads the whole segment from memory; undefined once it is dropped. */
  readFromMemory?: () => Promise<Buffer | undefined>
}

/** `within`: a range of the segment; all of it by default. */
type SegmentReadOptions = ReadOptions & { within?: Range }

/** Reads a segment, or one of its parts, or only a range of these. Rejects if it no longer exists. */
export const readSegment = async (
  storage: Pick<ChunkStorage, 'read'>,
  uid: string,
  { file, offset, bytes, readFromMemory }: SegmentLocation,
  { within = { offset: 0, bytes }, ...options }: SegmentReadOptions = {},
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
    .read(uid, file, range, options)
    .catch(sealed === undefined ? undefined : ignoring('ENOENT'))
  return found ?? storage.read(uid, sealed ?? file, range, options)
}

/** Rejects with `StorageAway` if the storage doesn't answer, with another error if the segment no longer exists. */
export type ReadSegment = (uid: string, location: SegmentLocation, options?: SegmentReadOptions) => Promise<Buffer>

/** For `catch`: undefined if a segment no longer exists. Rethrows where a later try may succeed. */
export const undefinedIfGone = (error: unknown): undefined => {
  if (error instanceof StorageAway || error instanceof ApiError) throw error
  return undefined
}

/** Reads as `readSegment` does, and looks a segment up again if it was moved to another file or volume meanwhile. */
export const createReading =
  (index: SegmentIndex, volumes: Pick<Volumes, 'storage'>): ReadSegment =>
  async (uid, location, options) => {
    try {
      return await readSegment(volumes.storage(location.volume), uid, location, options)
    } catch (error) {
      if (ignoring('ENOENT')(error) !== undefined) throw error
      const current = await index.startingAt(uid, location.start)
      const isSame = current?.file === location.file && current.volume === location.volume
      if (current === undefined || isSame || current.bytes !== location.bytes) throw error
      return readSegment(volumes.storage(current.volume), uid, current, options)
    }
  }
