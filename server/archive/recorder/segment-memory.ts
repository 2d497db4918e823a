/** Limits per stream for segments in memory, so that fifty cameras on a full disk don't exhaust it. */
const inMemoryMs = 30_000
const maxBytesInMemory = 32 * 1024 * 1024

type SegmentInMemory = { arrivedAt: number; bytes: number }

/** The segments in memory (oldest first) that stay there when `newest` arrives, which may be in memory itself. */
export const stillInMemory = <Each extends SegmentInMemory>(
  inMemory: readonly Each[],
  newest: SegmentInMemory & { isInMemory: boolean },
): Each[] => {
  let bytes = newest.isInMemory ? newest.bytes : 0
  const stays = (each: Each): boolean => {
    bytes += each.bytes
    return Math.abs(newest.arrivedAt - each.arrivedAt) < inMemoryMs && bytes <= maxBytesInMemory
  }
  return inMemory.toReversed().filter(stays).toReversed()
}

/** Reads a part of a segment: from memory or, once it isn't there any more, from the spool. */
export type ReadPart = () => Promise<Buffer>
export const fromMemory =
  (bytes: Buffer): ReadPart =>
  async () =>
    bytes

type SegmentParts = SegmentInMemory & { start: number; parts: ReadPart[]; bytesInMemory: number }

/** A larger segment is in memory only as far as the spool doesn't have it. */
const maxBytesBesideSpool = 16 * 1024 * 1024

/** A part that the spool has, by its index. */
export type SpooledPart = { index: number; bytes: number; read: ReadPart }

/** Frees the memory of a large segment's parts, and takes them out of `spooled`. */
export const freeSpooled = (segment: SegmentParts, spooled: SpooledPart[]): void => {
  if (segment.bytes <= maxBytesBesideSpool) return
  for (const { index, bytes, read } of spooled.splice(0)) {
    segment.parts[index] = read
    segment.bytesInMemory -= bytes
  }
}

/** Players identify a segment by its start: at least the starts of the last minute aren't used again. */
const startsKept = 256

/** The parts of segments that aren't listed by a file yet, as they grow or wait to be written, or that couldn't be. */
export const createSegmentMemory = () => {
  let unfinished: readonly SegmentParts[] = []
  let unwritten: readonly SegmentParts[] = []
  let starts: readonly number[] = []
  const forget = (segment: SegmentParts): void => {
    unfinished = unfinished.filter((each) => each !== segment)
  }
  const freeStart = (start: number): number => (starts.includes(start) ? freeStart(start + 1) : start)

  return {
    /** The given start, or the next one that no recent segment has. Epoch milliseconds. */
    freeStart,
    begin: (segment: SegmentParts): void => {
      unfinished = [...unfinished, segment]
      starts = [...starts.slice(1 - startsKept), segment.start]
    },
    /** Drops a segment that was written; keeps another one for a while. */
    end: (segment: SegmentParts, isWritten: boolean): void => {
      forget(segment)
      const others = stillInMemory(unwritten, { ...segment, isInMemory: !isWritten })
      unwritten = isWritten ? others : [...others, segment]
    },
    forget,
    /** A whole segment, or one of its parts by index. */
    read: async (start: number, part?: number): Promise<Buffer | undefined> => {
      const found = [...unfinished, ...unwritten].find((each) => each.start === start)
      if (found === undefined) return undefined
      return part === undefined
        ? Buffer.concat(await Promise.all(found.parts.map((read) => read())))
        : found.parts[part]?.()
    },
  }
}
