import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)
/** A full flush ends a piece at a whole byte and refers to nothing before it, so that pieces can follow each other. */
const options = { level: 3, finishFlush: constants.Z_FULL_FLUSH }

/** RFC 1952 §2.3: the method deflate, no name and no time, of an unknown system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** RFC 1951 §3.2.3: a last block without data. */
const lastBlock = [3, 0]

/** By the piece: hours of playlists are sent again and again. */
const deflated = new WeakMap<Buffer, Promise<Buffer>>()

const deflatedOf = (piece: Buffer): Promise<Buffer> => {
  const made = deflated.get(piece) ?? deflate(piece, options)
  deflated.set(piece, made)
  return made
}

/**
 * The pieces as one gzip file (RFC 1952), each deflated by itself, in a thread of the pool while the next one is made.
 * A piece that comes again, as the same object, isn't deflated again.
 */
export const gzipped = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [checksum, length] = [0, 0]
  let before: Promise<Buffer> = Promise.resolve(head)
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    checksum = crc32(piece, checksum)
    length += piece.length
    const next = deflatedOf(piece)
    yield await before
    before = next
  }
  yield await before
  const end = Buffer.from([...lastBlock, 0, 0, 0, 0, 0, 0, 0, 0])
  end.writeUInt32LE(checksum, 2)
  end.writeUInt32LE(length % 2 ** 32, 6)
  yield end
}
