import type { FrameTable } from './frame-table.ts'
import { readFrameOffsets, readTracks, type Tracks } from './mp4-frames.ts'

/** Records in a table where frames begin as segments arrive. Anything but MP4 is ignored. */
export interface FrameReader {
  readHead(bytes: ArrayBuffer | ArrayBufferView): void
  readSegment(bytes: ArrayBuffer | ArrayBufferView, start: number, end: number): void
  clear(): void
}

/** Initialization segments kept; segments of more runs are rarely fetched at once. */
const keptHeads = 8
/** Segments that may wait for their initialization segment, which is fetched in parallel. */
const waitingSegments = 4
/** Frames may begin this much outside the time that the playlist gives their segment, seconds. */
const slackSeconds = 0.25

/** Whether the frames fill the duration; they don't if another run's time scale was used. */
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
  /** Newest first; which one a segment belongs to isn't known. */
  let heads: readonly Tracks[] = []
  let waiting: readonly Placed[] = []

  /** Returns whether an initialization segment was found that fits. */
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
