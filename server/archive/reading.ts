import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { sealedFile, unless } from './folders.ts'
import type { SegmentIndex } from './segment-index.ts'
import type { Segment } from './segment.ts'
import type { Volumes } from './volumes.ts'

/** A byte range of a file, or of memory (`held`) if it isn't on disk. */
export type Piece = Pick<Segment, 'start' | 'volume' | 'file' | 'offset' | 'bytes'> & {
  held?: () => Promise<Buffer | undefined>
}

/** The spool may have been sealed meanwhile. */
const openPiece = async (folder: string, file: string): Promise<FileHandle> => {
  const sealed = sealedFile(file)
  const found = await open(join(folder, file), 'r').catch(sealed === undefined ? undefined : unless('ENOENT'))
  return found ?? open(join(folder, sealed ?? file), 'r')
}

/** Reads one segment or a part of it. Throws if it no longer exists. */
export const readSegment = async (folder: string, { file, offset, bytes, held }: Piece): Promise<Buffer> => {
  if (held !== undefined) {
    const whole = await held()
    if (whole === undefined) throw new Error('The segment is held no more')
    return whole.subarray(offset, offset + bytes)
  }
  const handle = await openPiece(folder, file)
  try {
    const read = Buffer.alloc(bytes)
    const { bytesRead } = await handle.read(read, 0, bytes, offset)
    if (bytesRead !== bytes) throw new Error('The segment is shorter than its row says')
    return read
  } finally {
    await handle.close()
  }
}

export type ReadPiece = (uid: string, piece: Piece) => Promise<Buffer>

/** Like `readSegment`; looks a segment up again if it was moved into a chunk meanwhile. */
export const createReading =
  (index: SegmentIndex, volumes: Pick<Volumes, 'folder'>): ReadPiece =>
  async (uid, piece) => {
    try {
      return await readSegment(volumes.folder(piece.volume, uid), piece)
    } catch (error) {
      if (unless('ENOENT')(error) !== undefined) throw error
      const now = await index.startingAt(uid, piece.start)
      const isSame = now?.file === piece.file && now.volume === piece.volume
      if (now === undefined || isSame || now.bytes !== piece.bytes) throw error
      return readSegment(volumes.folder(now.volume, uid), now)
    }
  }
