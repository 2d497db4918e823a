/** Limits for segments in memory, so that fifty cameras on a full disk don't exhaust it. */
const heldMs = 30_000
const maxHeldBytes = 32 * 1024 * 1024

type Held = { arrivedAt: number; bytes: number }

/** The segments, oldest first, that stay in memory when another one is added. */
export const stillHeld = <Each extends Held>(held: readonly Each[], newest: Held & { isHeld: boolean }): Each[] => {
  let bytes = newest.isHeld ? newest.bytes : 0
  const stays = (each: Each): boolean => {
    bytes += each.bytes
    return Math.abs(newest.arrivedAt - each.arrivedAt) < heldMs && bytes <= maxHeldBytes
  }
  return held.toReversed().filter(stays).toReversed()
}

type Growing = Held & { start: number; data: readonly Buffer[] }

/** Players identify a segment by its start, so starts of the last minute or more aren't reused. */
const startsKnown = 256

/** The bytes of segments that aren't in a file: still growing, waiting to be written, or refused by the disk. */
export const createSegmentMemory = () => {
  let opened: readonly Growing[] = []
  let held: readonly Growing[] = []
  let starts: readonly number[] = []
  const forget = (segment: Growing): void => {
    opened = opened.filter((each) => each !== segment)
  }
  const freeStart = (start: number): number => (starts.includes(start) ? freeStart(start + 1) : start)

  return {
    freeStart,
    begin: (segment: Growing): void => {
      opened = [...opened, segment]
      starts = [...starts.slice(1 - startsKnown), segment.start]
    },
    /** Ends a segment: it is written, or, if `isHeld`, stays in memory for a while. */
    end: (segment: Growing, isHeld: boolean): void => {
      forget(segment)
      held = [...stillHeld(held, { ...segment, isHeld }), ...(isHeld ? [segment] : [])]
    },
    forget,
    /** A whole segment, or one of its parts by index. */
    read: (start: number, part?: number): Buffer | undefined => {
      const found = [...opened, ...held].find((each) => each.start === start)
      if (found === undefined) return undefined
      return part === undefined ? Buffer.concat(found.data) : found.data[part]
    },
  }
}
