import type { SegmentRequest } from './downloads.ts'
import type { LaidSegment } from '../playlist/lay-out.ts'
import type { PlaylistSegment } from '../playlist/playlist.ts'

export interface EngineStats {
  codecs: string
  width: number
  height: number
  framesPerSecond: number | null
  bitsPerSecond: number
  droppedFrames: number
  decodedFrames: number
  lastSegment: SegmentRequest | null
}

/** Seconds after the start of the first segment, by the segments that follow each other. */
export type StartAt = (segments: readonly PlaylistSegment[]) => number

export interface LoadOptions {
  /** Asked where to start once the segments of the playlist are known; null: where the engine likes. */
  startAt: StartAt | null
  /** The end of a range of the archive, where that is still to come (epoch milliseconds). */
  growsUntil: number | null
}

/** One shaka player on one `<video>`. Times are seconds of the media timeline. */
export interface Engine {
  load(url: string, options: LoadOptions): Promise<void>
  unload(): Promise<void>
  destroy(): Promise<void>
  setRate(rate: number): void
  hasSound(): boolean
  /** The same list as long as nothing came or went. */
  segments(): readonly LaidSegment[]
  seekRange(): { start: number; end: number }
  liveAt(): number
  /** Whether live comes in parts, and so is held nearer to its edge. */
  isLowLatency(): boolean
  stats(): EngineStats
  segmentsLoaded(): number
  /** The codec of what was loaded that the browser can't play, by its usual name; null where it isn't known. */
  refusedCodec(): string | null
}
