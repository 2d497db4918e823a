import type { SegmentRequest } from './downloads.ts'
import type { TimelineSegment } from '../playlist/timeline-segments.ts'
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

/** Seconds after the start of the first segment. */
export type StartAt = (segments: readonly PlaylistSegment[]) => number

export interface LoadOptions {
  /** Called once the playlist's segments are known; null: the engine's default position. */
  startAt: StartAt | null
  /** The end of an archive range that lies in the future (epoch milliseconds). */
  growsUntil: number | null
}

/** A shaka player on a `<video>`. Times are seconds of the media timeline. */
export interface Engine {
  load(url: string, options: LoadOptions): Promise<void>
  unload(): Promise<void>
  destroy(): Promise<void>
  setRate(rate: number): void
  hasSound(): boolean
  /** The same array as long as the segments are unchanged. */
  segments(): readonly TimelineSegment[]
  seekRange(): { start: number; end: number }
  liveAt(): number
  /** Whether live uses low-latency parts and so is held nearer to its edge. */
  isLowLatency(): boolean
  stats(): EngineStats
  segmentsLoaded(): number
  /** The codec of the loaded source that the browser can't play; null if unknown. */
  refusedCodec(): string | null
}
