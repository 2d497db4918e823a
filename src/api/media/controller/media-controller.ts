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
 * Observed state, not requests. `loaded`: the first frame is on the screen and `from`…`to` can be sought. `failed`: no
 * progress for a while, or the source didn't load; the machine decides when to load again. `codec`: the one that the
 * browser can't decode, if known. `retryAfterSeconds`: as the server asked.
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
  /** The browser requires a user gesture before sound; it plays muted. */
  | { type: 'engine.silenced' }
  | { type: 'engine.blocked' }
  /** The live window moved, about once a second, or an archive range grew. */
  | { type: 'engine.windowMoved'; from: number; to: number }
  /** Playback faster than 1× has caught up with live. */
  | { type: 'engine.edgeReached' }
  | { type: 'engine.loopEnded' }
  /** The size of the picture: at first, and once a change of it has settled. */
  | ({ type: 'picture.resized' } & PictureBox)

export interface PlaybackStats extends EngineStats {
  bufferedSeconds: number
  latencySeconds: number | null
  lastFailure: MediaFailure | null
}

/** What views read of a media controller in every frame, without the machines. */
export interface PlaybackClock {
  /** Epoch milliseconds of the frame on the screen, or of the kept frame while renditions change; null without one. */
  positionAt(): number | null
  buffered(): { from: number; to: number }[]
  stats(): PlaybackStats | null
}

/** What views do with a media controller: give it a `<video>`. The machines decide what plays. */
export interface VideoPort {
  /** The `<canvas>` keeps the last frame while a source changes. Returns the function that detaches both. */
  attach(video: HTMLVideoElement, still: HTMLCanvasElement): () => void
  /** Toggles picture-in-picture. */
  float(): void
}

/** Controls the media of a player: one `<video>` and one engine at a time. Nothing here throws. */
export interface MediaController extends VideoPort, PlaybackClock {
  listen(report: (report: ControllerReport) => void): () => void
  load(source: Source, options: { isPlaying: boolean; rate: number }): void
  /** Loads another rendition of the current source: the archive at the moment on the screen, live at its edge. */
  change(source: Source, options: { isPlaying: boolean; rate: number }): void
  unload(): void
  play(): void
  pause(): void
  setRate(rate: number): void
  /** The clock then decides when and how fast the picture plays; null: it plays by itself. */
  follow(clock: (() => ClockReading) | null): void
  /** Whether it is at the clock's moment, or at what follows a gap, and able to continue from there. */
  hasSettled(): boolean
  /** While playing, the frame at `to` is followed by the one at `from`; kept across loads. */
  setLoop(loop: Loop | null): void
  setSound(sound: { volume: number; isMuted: boolean }): void
  /** Seeks within what is loaded; a moment in a gap leads to what follows it. */
  seek(at: number): void
  /** Steps one frame; pauses. */
  step(direction: 1 | -1): void
  snapshot(): Promise<Blob | null>
}
