import type { Rendition } from '../../contract/archive.ts'
import type { MediaFailure } from '../engine/failure.ts'
import type { Loop } from './loop.ts'
import type { ClockReading } from '../sync/shared-clock.ts'
import type { EngineStats } from '../engine/engine.ts'
import type { PictureBox } from './picture-box.ts'

/**
 * What to play. Moments are epoch milliseconds. An archive source plays from `from` to `to`; with a `to` in the future
 * it grows until then. Without a `rendition` the server plays the main one.
 */
export type Source = (
  | { readonly kind: 'live'; readonly uid: string }
  | { readonly kind: 'archive'; readonly uid: string; readonly from: number; readonly to: number }
) & { readonly rendition?: Exclude<Rendition, 'main'> }

/**
 * What the engine does, not what was requested. Moments are epoch milliseconds. `engine.loaded`: the first frame is on
 * the screen, and moments from `from` to `to` can be sought. `engine.failed`: the source didn't load, or playback made
 * no progress; the machine decides when to load again. `codec`: which one the browser can't decode, if known.
 * `retryAfterSeconds`: the server's retry-after.
 */
export type ControllerReport =
  | { type: 'engine.loaded'; from: number; to: number }
  | { type: 'engine.played' }
  | { type: 'engine.paused' }
  | { type: 'engine.stalled' }
  | { type: 'engine.sought' }
  | { type: 'engine.ended'; at: number }
  | {
      type: 'engine.failed'
      failure: MediaFailure
      at: number | null
      codec?: string | null
      retryAfterSeconds?: number | null
    }
  /** The browser requires a user gesture before it plays sound; the video plays muted. */
  | { type: 'engine.silenced' }
  /** A button outside of the page was pressed: the machine requests it. */
  | { type: 'media.playRequested' | 'media.pauseRequested' }
  /** The browser requires a user gesture before it plays at all. */
  | { type: 'engine.blocked' }
  /** Sent about once a second for live, and when an archive range grew. */
  | { type: 'engine.windowMoved'; from: number; to: number }
  /** Backward playback has reached the start of the source, or of the loop. */
  | { type: 'engine.startReached'; at: number }
  /** Playback faster than 1× has reached the live edge. */
  | { type: 'engine.edgeReached' }
  /** The loop ended, and its start isn't loaded. */
  | { type: 'engine.loopEnded' }
  /** The first size of the picture, and each new one after it has settled. */
  | ({ type: 'picture.resized' } & PictureBox)

export interface PlaybackStats extends EngineStats {
  bufferedSeconds: number
  latencySeconds: number | null
  lastFailure: MediaFailure | null
}

/** What views read of a media controller in every animation frame, not through the machines. */
export interface PlaybackClock {
  /** Epoch milliseconds of the frame on the screen, also while another rendition loads; null without one. */
  positionAt(): number | null
  buffered(): { from: number; to: number }[]
  stats(): PlaybackStats | null
}

/** What views may do with a media controller; the machines decide what plays. */
export interface VideoPort {
  /** The `<canvas>` shows the last frame while the source changes. Returns the function that detaches both. */
  attach(video: HTMLVideoElement, still: HTMLCanvasElement): () => void
  togglePictureInPicture(): void
}

/** Plays the media of a player on one `<video>` with one engine. Its functions don't throw; failures are reported. */
export interface MediaController extends VideoPort, PlaybackClock {
  listen(report: (report: ControllerReport) => void): () => void
  /** With a negative rate an archive plays backwards, from its end. */
  load(source: Source, options: { isPlaying: boolean; rate: number }): void
  /** Loads another rendition of the current source: an archive at the moment on the screen, live at its edge. */
  change(source: Source, options: { isPlaying: boolean; rate: number }): void
  unload(): void
  play(): void
  pause(): void
  /** A negative rate plays an archive backwards, by keyframes and without sound. */
  setRate(rate: number): void
  /** Follows a shared clock, which decides when and how fast the picture plays; null ends that. */
  follow(clock: (() => ClockReading) | null): void
  /** Whether the paused picture is at the clock's moment, or at the end of a gap there, and can play on. */
  hasSettled(): boolean
  /** Repeats a range during playback, also after another load; null ends that. */
  setLoop(loop: Loop | null): void
  /** `volume` is from 0 to 1. */
  setSound(sound: { volume: number; isMuted: boolean }): void
  /** Seeks to epoch milliseconds within the loaded range; from within a gap to its end. */
  seek(at: number): void
  /** Pauses and steps to the next (1) or previous (-1) frame. */
  step(direction: 1 | -1): void
  /** The frame on the screen as PNG; null without one. */
  snapshot(): Promise<Blob | null>
}
