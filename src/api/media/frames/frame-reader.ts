import type { FrameTable } from './frame-table.ts'
import { readFrameOffsets, readTracks, type Tracks } from './mp4-frames.ts'

/** Fills a frame table from the segments that the engine receives. Anything but MP4 is ignored. */
export interface FrameReader {
  readInit(bytes: ArrayBuffer | ArrayBufferView): void
  /** `start` and `end` in seconds of the media timeline. */
  readSegment(bytes: ArrayBuffer | ArrayBufferView, start: number, end: number): void
  clear(): void
}

/** How many initialization segments are remembered; segments of more runs are rarely requested at once. */
const maxInits = 8
/** How many segments may wait for their initialization segment, which is requested in parallel. */
const maxWaiting = 4
/** How far frames may begin outside their segment's time in the playlist. */
const slackSeconds = 0.25

/** Whether the frames fill the duration; with the time scale of another initialization segment they don't. */
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
  /** Of each initialization segment, newest first; a segment doesn't say which one it belongs to. */
  let inits: readonly Tracks[] = []
  let waiting: readonly Placed[] = []

  /** Adds a segment to the table, by the first initialization segment that fits; false if none does. */
  const add = ({ bytes, start, duration }: Placed): boolean => {
    for (const tracks of inits) {
      const offsets = readFrameOffsets(bytes, tracks)
      if (offsets === undefined || !fits(offsets, duration)) continue
      table.put({ start, duration, offsets })
      return true
    }
    return false
  }

  return {
    readInit(bytes) {
      const tracks = readTracks(bytes)
      if (tracks === undefined) return
      inits = [tracks, ...inits.slice(0, maxInits - 1)]
      waiting = waiting.filter((segment) => !add(segment))
    },
    readSegment(bytes, start, end) {
      const segment = { bytes, start, duration: end - start }
      if (!add(segment)) waiting = [...waiting, segment].slice(-maxWaiting)
    },
    clear() {
      inits = []
      waiting = []
      table.clear()
    },
  }
}
