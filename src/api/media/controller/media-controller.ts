import type { Rendition } from '../../contract/archive.ts'
import type { MediaFailure } from '../engine/failure.ts'
import type { Loop } from './loop.ts'
import type { ClockReading } from '../sync/shared-clock.ts'
import type { EngineStats } from '../engine/engine.ts'
import type { PictureBox } from './picture-box.ts'

/**
 * What to play. Moments are epoch milliseconds; an archive source plays from `from` and ends at `to`; where that is
 * still to come, it grows until then. Without a `rendition` the server is asked for none: it plays the main one.
 */
export type Source = (
  | { readonly kind: 'live'; readonly uid: string }
  | { readonly kind: 'archive'; readonly uid: string; readonly from: number; readonly to: number }
) & { readonly rendition?: Exclude<Rendition, 'main'> }

/**
 * What was observed, not what was asked for. `loaded`: the first frame is on the screen, `from`…`to` can be sought.
 * `failed`: there was no progress for a while, or the source never came; whoever hears it decides when to load again.
 * `codec` is what the browser can't decode, by its usual name, where that is known. `retryAfterSeconds`: what the
 * server asked for.
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
  /** The browser lets nothing sound before the page is touched; it plays muted. */
  | { type: 'engine.silenced' }
  | { type: 'engine.blocked' }
  /** The live window moved, about once a second; or a range of the archive grew. */
  | { type: 'engine.windowMoved'; from: number; to: number }
  /** Playing faster than time has caught up with live. */
  | { type: 'engine.edgeReached' }
  | { type: 'engine.loopEnded' }
  /** How large the picture is: when it gets its place, and once a change of it has settled. */
  | ({ type: 'picture.resized' } & PictureBox)

export interface PlaybackStats extends EngineStats {
  bufferedSeconds: number
  latencySeconds: number | null
  lastFailure: MediaFailure | null
}

/** The part of a media controller that is read every frame and drawn, past the machines. */
export interface PlaybackClock {
  /** Epoch milliseconds of the frame on the screen, or of the kept one while renditions change; null without one. */
  positionAt(): number | null
  buffered(): { from: number; to: number }[]
  stats(): PlaybackStats | null
}

/** Where a view puts the picture. What is played in it is the machines' affair. */
export interface VideoPort {
  /** The `<canvas>` keeps the last frame while a source changes. Answers how to let both go. */
  attach(video: HTMLVideoElement, still: HTMLCanvasElement): () => void
  /** Lets the picture float above other windows, or takes it back. */
  float(): void
}

/** A player's ways to the media: one `<video>`, one engine at a time. Nothing here throws. */
export interface MediaController extends VideoPort, PlaybackClock {
  listen(report: (report: ControllerReport) => void): () => void
  load(source: Source, options: { isPlaying: boolean; rate: number }): void
  /** Loads another rendition of what is played: the archive at the moment on the screen, live at its edge. */
  change(source: Source, options: { isPlaying: boolean; rate: number }): void
  unload(): void
  play(): void
  pause(): void
  setRate(rate: number): void
  /** The clock then decides whether and how fast the picture plays; null: it plays by itself. */
  follow(clock: (() => ClockReading) | null): void
  /** At its moment or at what follows a gap, and able to go on from there. */
  hasSettled(): boolean
  /** While playing, the frame that reaches `to` is followed by the one of `from`; kept over loads. */
  setLoop(loop: Loop | null): void
  setSound(sound: { volume: number; isMuted: boolean }): void
  /** Moves within what is loaded; a moment inside a gap goes to what follows it. */
  seek(at: number): void
  /** One real frame on or back; pauses. */
  step(direction: 1 | -1): void
  snapshot(): Promise<Blob | null>
}
