import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { joinedChecksum } from './joined-checksum.ts'

const deflate = promisify(deflateRaw)
/** A full flush ends a piece at a whole byte and refers to nothing before it, so that pieces can follow each other. */
const options = { level: 3, finishFlush: constants.Z_FULL_FLUSH }

/** RFC 1952 §2.3: the method deflate, no name and no time, of an unknown system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** RFC 1951 §3.2.3: a last block without data. */
const lastBlock = [3, 0]

type Deflated = { bytes: Promise<Buffer>; checksum: number }

/** By the piece: hours of playlists are sent again and again. */
const deflated = new WeakMap<Buffer, Deflated>()

const deflatedOf = (piece: Buffer): Deflated => {
  const made = deflated.get(piece) ?? { bytes: deflate(piece, options), checksum: crc32(piece) }
  deflated.set(piece, made)
  return made
}

/**
 * The pieces as one gzip file (RFC 1952), each deflated by itself, in a thread of the pool while the next one is made.
 * A piece that comes again, as the same object, is neither deflated nor summed again.
 */
export const gzipped = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [checksum, length] = [0, 0]
  let before: Promise<Buffer> = Promise.resolve(head)
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    const next = deflatedOf(piece)
    checksum = joinedChecksum(checksum, next.checksum, piece.length)
    length += piece.length
    yield await before
    before = next.bytes
  }
  yield await before
  const end = Buffer.from([...lastBlock, 0, 0, 0, 0, 0, 0, 0, 0])
  end.writeUInt32LE(checksum, 2)
  end.writeUInt32LE(length % 2 ** 32, 6)
  yield end
}
