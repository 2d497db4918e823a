import type { FrameTable } from './frame-table.ts'
import { readFrameOffsets, readTracks, type Tracks } from './mp4-frames.ts'

/** Notes in a table where frames lie, as segments come. Of what isn't MP4 nothing is noted. */
export interface FrameReader {
  readHead(bytes: ArrayBuffer | ArrayBufferView): void
  readSegment(bytes: ArrayBuffer | ArrayBufferView, start: number, end: number): void
  clear(): void
}

/** Segments of more runs than this are seldom fetched at the same time. */
const keptHeads = 8
/** So many segments wait for their initialization segment, which is fetched beside them. */
const waitingSegments = 4
/** Frames may lie this much outside what their playlist says of their segment, seconds. */
const slackSeconds = 0.25

/** Whether frames fill so many seconds, as they don't where another run's time units were taken for theirs. */
function fits(offsets: readonly number[], duration: number): boolean {
  const [first = 0, last = 0, beforeLast = last - duration] = [offsets[0], offsets.at(-1), offsets.at(-2)]
  return Math.abs(first) <= slackSeconds && Math.abs(last + (last - beforeLast) - duration) <= slackSeconds
}

interface Placed {
  readonly bytes: ArrayBuffer | ArrayBufferView
  readonly start: number
  readonly duration: number
}

export function createFrameReader(table: FrameTable): FrameReader {
  /** The newest first: which one a segment belongs to isn't told. */
  let heads: readonly Tracks[] = []
  let waiting: readonly Placed[] = []

  /** Answers whether a head was found that fits the segment. */
  const note = ({ bytes, start, duration }: Placed): boolean => {
    for (const tracks of heads) {
      const offsets = readFrameOffsets(bytes, tracks)
      if (offsets === undefined || !fits(offsets, duration)) continue
      table.put({ start, duration, offsets })
      return true
    }
    return false
  }

  return {
    readHead(bytes) {
      const tracks = readTracks(bytes)
      if (tracks === undefined) return
      heads = [tracks, ...heads.slice(0, keptHeads - 1)]
      waiting = waiting.filter((segment) => !note(segment))
    },
    readSegment(bytes, start, end) {
      const segment = { bytes, start, duration: end - start }
      if (!note(segment)) waiting = [...waiting, segment].slice(-waitingSegments)
    },
    clear() {
      heads = []
      waiting = []
      table.clear()
    },
  }
}
