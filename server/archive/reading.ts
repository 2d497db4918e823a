import { ignoring, sealedFile } from '../storage/folders.ts'
import { ApiError } from '../http/api-error.ts'
import { StorageAway, type ChunkStorage } from '../storage/chunk-storage.ts'
import type { Volumes } from '../storage/volumes.ts'
import type { SegmentIndex } from './segment-index.ts'
import type { Segment } from './segment.ts'

/** A byte range of a file, or of memory (`held`) if it isn't on disk. */
export type Piece = Pick<Segment, 'start' | 'volume' | 'file' | 'offset' | 'bytes'> & {
  held?: () => Promise<Buffer | undefined>
}

/** Reads one segment or a part of it. Throws if it no longer exists. */
export const readSegment = async (
  storage: Pick<ChunkStorage, 'read'>,
  uid: string,
  { file, offset, bytes, held }: Piece,
  signal?: AbortSignal,
): Promise<Buffer> => {
  if (held !== undefined) {
    const whole = await held()
    if (whole === undefined) throw new Error('The segment is held no more')
    return whole.subarray(offset, offset + bytes)
  }
  const range = { offset, bytes }
  // The spool may have been sealed meanwhile.
  const sealed = sealedFile(file)
  const found = await storage
    .read(uid, file, range, signal)
    .catch(sealed === undefined ? undefined : ignoring('ENOENT'))
  return found ?? storage.read(uid, sealed ?? file, range, signal)
}

/** Rejects with `StorageAway` if the storage doesn't answer. */
export type ReadPiece = (uid: string, piece: Piece, signal?: AbortSignal) => Promise<Buffer>

/** Of a segment that is gone: undefined. What may be there later is still an error. */
export const unlessAway = (error: unknown): undefined => {
  if (error instanceof StorageAway || error instanceof ApiError) throw error
  return undefined
}

/** Like `readSegment`; looks a segment up again if it was moved meanwhile. */
export const createReading =
  (index: SegmentIndex, volumes: Pick<Volumes, 'storage'>): ReadPiece =>
  async (uid, piece, signal) => {
    try {
      return await readSegment(volumes.storage(piece.volume), uid, piece, signal)
    } catch (error) {
      if (ignoring('ENOENT')(error) !== undefined) throw error
      const now = await index.startingAt(uid, piece.start)
      const isSame = now?.file === piece.file && now.volume === piece.volume
      if (now === undefined || isSame || now.bytes !== piece.bytes) throw error
      return readSegment(volumes.storage(now.volume), uid, now, signal)
    }
  }
