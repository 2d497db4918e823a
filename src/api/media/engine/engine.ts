import type { SegmentRequest } from './downloads.ts'
import type { TimelineSegment } from '../playlist/timeline-segments.ts'
import type { PlaylistSegment } from '../playlist/playlist.ts'

/** `codecs` as in CODECS; `framesPerSecond` is null if neither the segments nor the playlist say. */
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

/** Chooses the start position, in seconds after the start of the first segment. */
export type StartAt = (segments: readonly PlaylistSegment[]) => number

interface LoadOptions {
  /** Called once the segments of the playlist are known; null: the engine's default position. */
  startAt: StartAt | null
  /** The end of an archive range if it is in the future, in epoch milliseconds; else null. */
  growsUntil: number | null
}

/** A shaka player on a `<video>`. Times are seconds of the media timeline. */
export interface Engine {
  load(url: string, options: LoadOptions): Promise<void>
  unload(): Promise<void>
  destroy(): Promise<void>
  /** With a negative rate the engine buffers only what a seek needs, and the caller seeks from picture to picture. */
  setRate(rate: number): void
  hasSound(): boolean
  /** Returns the same array while the segments are unchanged. */
  segments(): readonly TimelineSegment[]
  seekRange(): { start: number; end: number }
  /** The position at which live should play now, in media seconds. */
  liveAt(): number
  /** Whether the playlist has low-latency parts; live then plays nearer to the end of the playlist. */
  isLowLatency(): boolean
  stats(): EngineStats
  /** Counts the segments of the current source, initialization segments included. */
  segmentsReceived(): number
  /** The name of a codec of the current source that the browser can't play; null if none is known. */
  refusedCodec(): string | null
}
