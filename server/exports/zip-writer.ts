import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** In place of a value that doesn't fit into 32 bits; an extra field (Zip64) has it. */
const max32 = 0xffffffff
const utf8Names = 0x0800
/** The offset of the checksum in a local header. */
const crcOffset = 14

type Entry = { name: Buffer; bytes: number; offset: number; time: number; date: number; crc: number }

/** Numbers of 2, 4 or 8 bytes, the lowest byte first. */
const littleEndian = (...values: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([size, value]) => {
      const bytes = Buffer.alloc(size)
      if (size === 8) bytes.writeBigUInt64LE(BigInt(value))
      else bytes.writeUIntLE(value, 0, size)
      return bytes
    }),
  )

/** Date and time as MS-DOS has them: from 1980 on, to two seconds; here in UTC. */
const dosTime = (moment: number): Pick<Entry, 'time' | 'date'> => {
  const at = new Date(moment)
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: (Math.max(0, at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}

/** The version of ZIP that a reader needs: 4.5 has Zip64. */
const versionOf = (isLarge: boolean): number => (isLarge ? 45 : 20)

const localHeader = ({ name, bytes, time, date }: Entry): Buffer => {
  const isLarge = bytes >= max32
  const size = isLarge ? max32 : bytes
  const extra = isLarge ? littleEndian([2, 1], [2, 16], [8, bytes], [8, bytes]) : Buffer.alloc(0)
  return Buffer.concat([
    littleEndian([4, 0x04034b50], [2, versionOf(isLarge)], [2, utf8Names], [2, 0], [2, time], [2, date], [4, 0]),
    littleEndian([4, size], [4, size], [2, name.length], [2, extra.length]),
    name,
    extra,
  ])
}

const centralHeader = ({ name, bytes, offset, time, date, crc }: Entry): Buffer => {
  const zip64Fields = [
    ...(bytes >= max32
      ? ([
          [8, bytes],
          [8, bytes],
        ] as const)
      : []),
    ...(offset >= max32 ? ([[8, offset]] as const) : []),
  ]
  const extra =
    zip64Fields.length === 0 ? Buffer.alloc(0) : littleEndian([2, 1], [2, zip64Fields.length * 8], ...zip64Fields)
  const size = Math.min(bytes, max32)
  const version = versionOf(zip64Fields.length > 0)
  return Buffer.concat([
    littleEndian([4, 0x02014b50], [2, version], [2, version], [2, utf8Names], [2, 0], [2, time], [2, date], [4, crc]),
    littleEndian([4, size], [4, size], [2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0]),
    littleEndian([4, Math.min(offset, max32)]),
    name,
    extra,
  ])
}

/** The end of the file, for `count` central headers of `bytes` in all, at offset `at`. */
const endRecords = (count: number, bytes: number, at: number): Buffer => {
  const isLarge = at >= max32 || bytes >= max32 || count >= 0xffff
  const zip64Records = isLarge
    ? [
        littleEndian([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count]),
        littleEndian([8, bytes], [8, at]),
        littleEndian([4, 0x07064b50], [4, 0], [8, at + bytes], [4, 1]),
      ]
    : []
  const shownCount = Math.min(count, 0xffff)
  return Buffer.concat([
    ...zip64Records,
    littleEndian([4, 0x06054b50], [2, 0], [2, 0], [2, shownCount], [2, shownCount], [4, Math.min(bytes, max32)]),
    littleEndian([4, Math.min(at, max32)], [2, 0]),
  ])
}

/**
 * Writes a ZIP without compression, entry by entry (APPNOTE 6.3.9); Zip64 only where something is 4 GiB or more.
 * Lengths and checksums are in the local headers, as not every program supports data descriptors after the content.
 */
export const createZipWriter = (file: FileHandle) => {
  const entries: Entry[] = []
  let at = 0
  const write = async (bytes: Buffer): Promise<void> => {
    for (let done = 0; done < bytes.length;) {
      done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten
    }
    at += bytes.length
  }
  return {
    /** `bytes`: the length of the content, which must be exact. */
    add: async (
      { name, bytes, moment }: { name: string; bytes: number; moment: number },
      content: AsyncIterable<Buffer> | Iterable<Buffer>,
    ): Promise<void> => {
      const entry = { name: Buffer.from(name), bytes, offset: at, ...dosTime(moment), crc: 0 }
      await write(localHeader(entry))
      const from = at
      for await (const buffer of content) {
        entry.crc = crc32(buffer, entry.crc)
        await write(buffer)
      }
      if (at - from !== bytes) throw new Error(`${name} has ${at - from} bytes instead of ${bytes}`)
      await file.write(littleEndian([4, entry.crc]), 0, 4, entry.offset + crcOffset)
      entries.push(entry)
    },
    end: async (): Promise<void> => {
      const from = at
      for (const entry of entries) await write(centralHeader(entry))
      await write(endRecords(entries.length, at - from, from))
      await file.sync()
    },
  }
}
