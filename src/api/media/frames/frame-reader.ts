import type { SegmentReference } from '../playlist/timeline-segments.ts'
import type { FrameTable } from './frame-table.ts'
import { readFrameOffsets, readTracks, viewOf, type Tracks } from './mp4-frames.ts'

/** Fills a frame table from the segments that the engine receives. Anything but MP4 is ignored. */
export interface FrameReader {
  readInit(bytes: ArrayBuffer | ArrayBufferView): void
  /** `start` and `end` in seconds of the media timeline. */
  readSegment(bytes: ArrayBuffer | ArrayBufferView, start: number, end: number): void
  /**
   * Keeps a segment that was received before its position on the media timeline was known, by its URL and its first
   * byte in that resource.
   */
  keepSegment(bytes: ArrayBuffer | ArrayBufferView, url: string, startByte: number): void
  /** Reads those of the kept segments that the references position, and drops the others. */
  readKept(references: Iterable<ByteReference | null>): void
  clear(): void
}

interface ByteReference extends SegmentReference {
  getStartByte(): number
}

/** How many initialization segments are remembered; segments of more runs are rarely requested at once. */
const maxInits = 8
/** How many segments may wait for their initialization segment, which is requested at the same time. */
const maxWaiting = 4
/** How far frames may begin outside their segment's time in the playlist. */
const slackSeconds = 0.25

/** Whether the frames fill the duration; with the time scale of another initialization segment they don't. */
function fits(offsets: readonly number[], duration: number): boolean {
  const [first = 0, last = 0, beforeLast] = [offsets[0], offsets.at(-1), offsets.at(-2)]
  const lastDuration = beforeLast === undefined ? duration : last - beforeLast
  return Math.abs(first) <= slackSeconds && Math.abs(last + lastDuration - duration) <= slackSeconds
}

interface PlacedSegment {
  readonly bytes: ArrayBuffer | ArrayBufferView
  readonly start: number
  readonly duration: number
}

/** MPEG-TS, of which each packet begins with this byte, has no initialization segment to wait for. */
const isTransportStream = (bytes: ArrayBuffer | ArrayBufferView): boolean =>
  bytes.byteLength > 0 && viewOf(bytes).getUint8(0) === 0x47

export function createFrameReader(table: FrameTable): FrameReader {
  /** The tracks of each initialization segment, newest first; a segment doesn't say which one it belongs to. */
  let inits: readonly Tracks[] = []
  let waiting: readonly PlacedSegment[] = []
  const kept = new Map<string, ArrayBuffer | ArrayBufferView>()
  const keyOf = (url: string, startByte: number): string => `${startByte} ${url}`

  /** Adds a segment to the table, by the first initialization segment that fits; false if none does. */
  const add = ({ bytes, start, duration }: PlacedSegment): boolean => {
    for (const tracks of inits) {
      const offsets = readFrameOffsets(bytes, tracks)
      if (offsets === undefined || !fits(offsets, duration)) continue
      table.put({ start, duration, offsets })
      return true
    }
    return false
  }

  const readSegment: FrameReader['readSegment'] = (bytes, start, end) => {
    const segment = { bytes, start, duration: end - start }
    if (!add(segment) && !isTransportStream(bytes)) waiting = [...waiting, segment].slice(-maxWaiting)
  }

  return {
    readInit(bytes) {
      const tracks = readTracks(bytes)
      if (tracks === undefined) return
      inits = [tracks, ...inits.slice(0, maxInits - 1)]
      waiting = waiting.filter((segment) => !add(segment))
    },
    readSegment,
    keepSegment: (bytes, url, startByte) => void kept.set(keyOf(url, startByte), bytes),
    readKept(references) {
      if (kept.size === 0) return
      for (const reference of references) {
        const bytes = kept.get(keyOf(reference?.getUris()[0] ?? '', reference?.getStartByte() ?? 0))
        if (reference !== null && bytes !== undefined)
          readSegment(bytes, reference.getStartTime(), reference.getEndTime())
      }
      kept.clear()
    },
    clear() {
      inits = []
      waiting = []
      kept.clear()
      table.clear()
    },
  }
}
