/** Limits of segments held in memory: fifty cameras on a full disk must not fill it. */
const heldMs = 30_000
const maxHeldBytes = 32 * 1024 * 1024

type Held = { arrivedAt: number; bytes: number }

/** Those of the segments in memory, oldest first, that stay when another one comes. */
export const stillHeld = <Each extends Held>(held: readonly Each[], newest: Held & { isHeld: boolean }): Each[] => {
  let bytes = newest.isHeld ? newest.bytes : 0
  const stays = (each: Each): boolean => {
    bytes += each.bytes
    return Math.abs(newest.arrivedAt - each.arrivedAt) < heldMs && bytes <= maxHeldBytes
  }
  return held.toReversed().filter(stays).toReversed()
}

type Growing = Held & { start: number; data: readonly Buffer[] }

/** Players know a segment by its start: those of about a minute at least aren't used again. */
const startsKnown = 256

/** The bytes of segments that no file has: those that grow or wait to be written, and those that no file took. */
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
    /** It is written, or, if `isHeld`, to be kept for a while. */
    end: (segment: Growing, isHeld: boolean): void => {
      forget(segment)
      held = [...stillHeld(held, { ...segment, isHeld }), ...(isHeld ? [segment] : [])]
    },
    forget,
    /** All of a segment, or one of its parts by index. */
    read: (start: number, part?: number): Buffer | undefined => {
      const found = [...opened, ...held].find((each) => each.start === start)
      if (found === undefined) return undefined
      return part === undefined ? Buffer.concat(found.data) : found.data[part]
    },
  }
}
