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

/** `data`: one buffer per part. */
type SegmentData = SegmentInMemory & { start: number; data: readonly Buffer[] }

/** Players identify a segment by its start: at least the starts of the last minute aren't used again. */
const startsKept = 256

/** The bytes of segments that aren't in a file yet, as they grow or wait to be written, or that couldn't be written. */
export const createSegmentMemory = () => {
  let unfinished: readonly SegmentData[] = []
  let unwritten: readonly SegmentData[] = []
  let starts: readonly number[] = []
  const forget = (segment: SegmentData): void => {
    unfinished = unfinished.filter((each) => each !== segment)
  }
  const freeStart = (start: number): number => (starts.includes(start) ? freeStart(start + 1) : start)

  return {
    /** The given start, or the next one that no recent segment has. Epoch milliseconds. */
    freeStart,
    begin: (segment: SegmentData): void => {
      unfinished = [...unfinished, segment]
      starts = [...starts.slice(1 - startsKept), segment.start]
    },
    /** Drops a segment that was written; keeps another one for a while. */
    end: (segment: SegmentData, isWritten: boolean): void => {
      forget(segment)
      const others = stillInMemory(unwritten, { ...segment, isInMemory: !isWritten })
      unwritten = isWritten ? others : [...others, segment]
    },
    forget,
    /** A whole segment, or one of its parts by index. */
    read: (start: number, part?: number): Buffer | undefined => {
      const found = [...unfinished, ...unwritten].find((each) => each.start === start)
      if (found === undefined) return undefined
      return part === undefined ? Buffer.concat(found.data) : found.data[part]
    },
  }
}
