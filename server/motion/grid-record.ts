import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { cellCount } from './grid.ts'

/** The levels of the cells between two keyframes; moments in epoch milliseconds. */
export type GridSample = { from: number; to: number; levels: Uint8Array }

/**
 * The samples of a chunk, deflated: version, count, the start of the first sample relative to the chunk's (four bytes,
 * signed), the length of each sample in milliseconds (four bytes), and its levels, two cells a byte. Each sample begins
 * where the one before ends.
 */
const version = 1
const headBytes = 7
const lengthBytes = 4
const levelBytes = cellCount / 2
/** More than a chunk of a minute has. */
const maxSamples = 4096

export const packSamples = (samples: readonly GridSample[], start: number): Buffer => {
  const some = samples.slice(0, maxSamples)
  const head = Buffer.alloc(headBytes + some.length * lengthBytes)
  head.writeUInt8(version, 0)
  head.writeUInt16BE(some.length, 1)
  head.writeInt32BE((some[0]?.from ?? start) - start, 3)
  const levels = Buffer.alloc(some.length * levelBytes)
  for (const [index, sample] of some.entries()) {
    head.writeUInt32BE(sample.to - sample.from, headBytes + index * lengthBytes)
    for (let pair = 0; pair < levelBytes; pair += 1)
      levels[index * levelBytes + pair] = (sample.levels[pair * 2] ?? 0) * 16 + (sample.levels[pair * 2 + 1] ?? 0)
  }
  return deflateRawSync(Buffer.concat([head, levels]), { level: 9 })
}

const inflate = (packed: Uint8Array): Buffer | undefined => {
  try {
    return inflateRawSync(packed, { maxOutputLength: headBytes + maxSamples * (lengthBytes + levelBytes) })
  } catch {
    return undefined
  }
}

/**
 * Calls `add` with the highest level of some cells for each sample, without an object for each: a day has 43,200. False
 * if the record can't be read.
 */
export const readLevels = (
  packed: Uint8Array,
  start: number,
  cells: readonly number[],
  add: (from: number, to: number, level: number) => void,
): boolean => {
  const bytes = packed.length === 0 ? undefined : inflate(packed)
  if (bytes === undefined || bytes.length < headBytes || bytes[0] !== version) return false
  const count = bytes.readUInt16BE(1)
  const levelsAt = headBytes + count * lengthBytes
  if (bytes.length !== levelsAt + count * levelBytes) return false
  let from = start + bytes.readInt32BE(3)
  for (let index = 0; index < count; index += 1) {
    const to = from + bytes.readUInt32BE(headBytes + index * lengthBytes)
    const at = levelsAt + index * levelBytes
    let level = 0
    for (const cell of cells) {
      const pair = bytes[at + (cell >> 1)] ?? 0
      level = Math.max(level, cell % 2 === 0 ? pair >> 4 : pair & 15)
    }
    add(from, to, level)
    from = to
  }
  return true
}
