import type { RandomAccess } from '../../storage/chunk-storage.ts'
import { readHead, readTrailer, type ChunkHead } from './chunk-file.ts'
import { packTable, type TableSegment } from './chunk-table.ts'
import { scanFile, segmentsIn } from './segment-file.ts'
import { countsAfter, finishOf, type Chunk } from './spool.ts'
import { runOf, type Run } from './run.ts'

const endOf = (segments: readonly TableSegment[], head: ChunkHead): number => {
  const last = segments.at(-1)
  return last === undefined ? head.bytes : last.offset + last.bytes
}

/** Finds the segments after the known ones by their boxes, and their times by their media times. */
export const scanRest = async (
  file: RandomAccess,
  head: ChunkHead,
  start: number,
  known: readonly TableSegment[],
): Promise<TableSegment[]> => {
  const end = endOf(known, head)
  const { fragments } = await scanFile(file, end)
  const found = await segmentsIn(file, { init: head.init, facts: undefined, fragments }, head.init, 0)
  const [first, last] = [found[0], known.at(-1)]
  if (first === undefined || first.offset !== end) return []
  const begin = last === undefined ? start : last.start + Math.round((first.mediaStart - last.mediaStart) * 1000)
  const segments: TableSegment[] = []
  let at = end
  for (const segment of found) {
    if (segment.offset !== at) break
    at += segment.bytes
    segments.push({ ...segment, start: segment.start + begin, finish: segment.finish + begin })
  }
  return segments
}

/** Whether a segment is whole on the disk: it consists of complete fragments, each with a picture. */
export const isWhole = async (file: RandomAccess, { init }: ChunkHead, segment: TableSegment): Promise<boolean> => {
  const end = segment.offset + segment.bytes
  const { fragments } = await scanFile(file, segment.offset)
  const own = fragments.filter((fragment) => fragment.end <= end)
  const found = await segmentsIn(file, { init, facts: undefined, fragments: own }, init, 0)
  return found[0]?.offset === segment.offset && found.reduce((at, each) => at + each.bytes, segment.offset) === end
}

export type FoundChunk = { chunk: Omit<Chunk, 'volume'>; run: Run; segments: TableSegment[] }

/** Reads a sealed chunk by its table, or by its boxes if the table is broken. Undefined if it has no whole segment. */
export const readChunk = async (file: RandomAccess, start: number): Promise<FoundChunk | undefined> => {
  const head = await readHead(file)
  if (head === undefined) return undefined
  const { init, facts } = head
  const trailer = await readTrailer(file)
  const isOwn = trailer !== undefined && trailer.start === start
  const segments = isOwn ? trailer.segments : await scanRest(file, head, start, [])
  if (segments.length === 0) return undefined
  const table = isOwn ? trailer.table : packTable(segments, init.video.timescale)
  const counts = facts.counts === undefined ? undefined : countsAfter(facts.counts, segments)
  const { size } = await file.stat()
  return {
    chunk: { start, finish: finishOf(segments), bytes: size, table, counts },
    run: runOf(facts.id, facts.run, init),
    segments,
  }
}
