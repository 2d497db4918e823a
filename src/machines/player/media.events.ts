import type { Source, StageReport } from '../../api/media/stage.ts'

/** What the stage, the player's way to the `<video>`, is told. Moments are epoch milliseconds. */
export type StageCommand =
  | { readonly type: 'stage.load'; readonly source: Source; readonly isPlaying: boolean; readonly rate: number }
  | { readonly type: 'stage.unload' }
  | { readonly type: 'stage.play' }
  | { readonly type: 'stage.pause' }
  | { readonly type: 'stage.setRate'; readonly rate: number }
  | { readonly type: 'stage.setSound'; readonly volume: number; readonly isMuted: boolean }
  | { readonly type: 'stage.setLoop'; readonly loop: { readonly from: number; readonly to: number } | null }
  | { readonly type: 'stage.seek'; readonly at: number }
  | { readonly type: 'stage.step'; readonly direction: 1 | -1 }

/** `volume` is 0 to 1. */
export type Sound = { readonly volume: number; readonly isMuted: boolean }
export type MediaInput = { readonly sound: Sound; readonly rate: number }

export type MediaEvent =
  /** Plays a source from its start; an archive that already holds that moment is sought instead of loaded. */
  | { readonly type: 'media.aimed'; readonly source: Source }
  | { readonly type: 'media.dropped' }
  | { readonly type: 'media.playRequested' }
  | { readonly type: 'media.pauseRequested' }
  | { readonly type: 'media.rateChosen'; readonly rate: number }
  | { readonly type: 'media.volumeChosen'; readonly volume: number }
  | { readonly type: 'media.muteToggled' }
  /** What is played over and over; null for nothing. */
  | { readonly type: 'media.loopChosen'; readonly loop: { readonly from: number; readonly to: number } | null }
  | { readonly type: 'media.stepRequested'; readonly direction: 1 | -1 }
  /** Doesn't wait for the pause before the next attempt. */
  | { readonly type: 'media.retried' }
  | StageReport

/** What the machine tells its parent. */
export type MediaReport =
  /** Frames began, or ceased, to come on; a stall in between doesn't count. */
  | { readonly type: 'media.running'; readonly kind: Source['kind'] }
  | { readonly type: 'media.resting' }
  /** Played to the end of the source, the moment `at`. */
  | { readonly type: 'media.ended'; readonly at: number }
  | { readonly type: 'media.windowMoved'; readonly from: number; readonly to: number }
  /** The loop came to its end, and its start isn't in what is loaded. */
  | { readonly type: 'media.loopEnded' }
