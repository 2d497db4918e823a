import { crc32 } from 'node:zlib'
import * as z from 'zod/mini'
import { boxesIn, makeBox } from '../../media/boxes.ts'
import { readInit, type Init } from '../../media/fragments.ts'
import { BrokenTable, unpackTable, type TableSegment } from './chunk-table.ts'
import type { RandomAccess } from '../../storage/chunk-storage.ts'
import { readAt } from '../../storage/folders.ts'
import type { Run } from './run.ts'
import { parseJson } from '../../parse-json.ts'

/**
 * A chunk is fragmented MP4: the init of its run, a box of facts, the fragments of its segments, and a box with the
 * packed table of these. The last four bytes of that box are its length. A chunk can be indexed from its file alone.
 */
const factsBox = Buffer.from('3d6f0b9c2f5e4a519d3c0f1a7be284c6', 'hex')
const tableBox = Buffer.from('8a41e5d70c6b4f3e92b7d1f05c3a6e18', 'hex')
/** Size, type and UUID of a box, in bytes. */
const boxHead = 24
const [startBytes, crcBytes, sizeBytes] = [8, 4, 4]
const minTrailer = boxHead + startBytes + crcBytes + sizeBytes
const maxTrailer = 2 ** 20
const maxHeadBytes = 2 ** 20

export const Counts = z.object({
  nextSequence: z.number(),
  nextDiscontinuity: z.number(),
  targetDuration: z.number(),
})
/**
 * Numbers of a recording that never decrease: those of its next segment and discontinuity, and the duration of its
 * longest segment in seconds, rounded.
 */
export type Counts = z.output<typeof Counts>

/** The greater of each. */
export const greatestCounts = (counts: Counts, others: Counts): Counts => ({
  nextSequence: Math.max(counts.nextSequence, others.nextSequence),
  nextDiscontinuity: Math.max(counts.nextDiscontinuity, others.nextDiscontinuity),
  targetDuration: Math.max(counts.targetDuration, others.targetDuration),
})

/** `run` is the key of the run; `counts` are those before the first segment, if the chunk was recorded live. */
const FileFacts = z.object({ run: z.string(), id: z.number(), counts: z.optional(Counts) })
type FileFacts = z.output<typeof FileFacts>

export const chunkHead = ({ key, id, init }: Pick<Run, 'key' | 'id' | 'init'>, counts?: Counts): Buffer => {
  const facts = z.encode(FileFacts, {
    run: key,
    id,
    ...(counts === undefined ? {} : { counts: z.parse(Counts, counts) }),
  })
  return Buffer.concat([init.bytes, makeBox('uuid', factsBox, Buffer.from(JSON.stringify(facts)))])
}

export const chunkTrailer = (start: number, table: Uint8Array): Buffer => {
  const content = Buffer.alloc(startBytes + table.length)
  content.writeBigInt64BE(BigInt(start))
  content.set(table, startBytes)
  const end = Buffer.alloc(crcBytes + sizeBytes)
  end.writeUInt32BE(crc32(content))
  end.writeUInt32BE(boxHead + content.length + end.length, crcBytes)
  return makeBox('uuid', tableBox, content, end)
}

const readFacts = (box: Buffer): FileFacts | undefined => parseJson(FileFacts, box.toString('utf8', boxHead))

export type ChunkHead = { init: Init; facts: FileFacts; bytes: number }

/** Undefined if the file doesn't begin as a chunk does. */
export const readHead = async (file: RandomAccess): Promise<ChunkHead | undefined> => {
  const beginning = await readAt(file, 0, 64 * 1024)
  const findFactsBox = (bytes: Buffer) => boxesIn(bytes).find(({ type }) => type === 'uuid')
  const bytes = findFactsBox(beginning) === undefined ? await readAt(file, 0, maxHeadBytes) : beginning
  const box = findFactsBox(bytes)
  if (box === undefined || !bytes.subarray(box.payload, box.payload + factsBox.length).equals(factsBox))
    return undefined
  const facts = readFacts(bytes.subarray(box.start, box.end))
  // Copied: the init stays in memory, and a slice would keep the whole buffer there.
  const init = readInit(Buffer.from(bytes.subarray(0, box.start)))
  return facts === undefined || init === undefined ? undefined : { init, facts, bytes: box.end }
}

export type ChunkTable = { start: number; table: Buffer; segments: TableSegment[] }

/** The table at the end of a chunk; undefined if it is missing or doesn't fit the file. */
export const readTrailer = async (file: RandomAccess): Promise<ChunkTable | undefined> => {
  const { size } = await file.stat()
  if (size < minTrailer) return undefined
  const length = (await readAt(file, size - sizeBytes, sizeBytes)).readUInt32BE()
  if (length < minTrailer || length > Math.min(size, maxTrailer)) return undefined
  const box = await readAt(file, size - length, length)
  const content = box.subarray(boxHead, length - crcBytes - sizeBytes)
  const isTrailer =
    box.readUInt32BE() === length &&
    box.subarray(8, boxHead).equals(tableBox) &&
    box.readUInt32BE(length - crcBytes - sizeBytes) === crc32(content)
  if (!isTrailer) return undefined
  const start = Number(content.readBigInt64BE())
  const table = content.subarray(startBytes)
  try {
    const segments = unpackTable(table, start)
    const last = segments.at(-1)
    return last === undefined || last.offset + last.bytes > size - length ? undefined : { start, table, segments }
  } catch (error) {
    if (error instanceof BrokenTable) return undefined
    throw error
  }
}
