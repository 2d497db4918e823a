import type { Offer } from './rendition.ts'
import type { Source, ControllerReport } from '../../api/media/controller/media-controller.ts'

/** Commands of the media controller, the player's way to the `<video>`. Moments are epoch milliseconds. */
export type ControllerCommand =
  /** `change` loads another rendition of the same, and goes on where it stood. */
  | {
      readonly type: 'controller.load' | 'controller.change'
      readonly source: Source
      readonly isPlaying: boolean
      readonly rate: number
    }
  | { readonly type: 'controller.unload' }
  | { readonly type: 'controller.play' }
  | { readonly type: 'controller.pause' }
  | { readonly type: 'controller.setRate'; readonly rate: number }
  | { readonly type: 'controller.setSound'; readonly volume: number; readonly isMuted: boolean }
  | { readonly type: 'controller.setLoop'; readonly loop: { readonly from: number; readonly to: number } | null }
  | { readonly type: 'controller.seek'; readonly at: number }
  | { readonly type: 'controller.step'; readonly direction: 1 | -1 }

/** `volume` is 0 to 1. */
export type Sound = { readonly volume: number; readonly isMuted: boolean }
export type MediaInput = { readonly sound: Sound; readonly rate: number }

export type MediaEvent =
  /** Plays a source from its start; an archive that already holds that moment is sought instead of loaded. */
  | { readonly type: 'media.loadRequested'; readonly source: Source }
  | { readonly type: 'media.unloadRequested' }
  | { readonly type: 'media.playRequested' }
  | { readonly type: 'media.pauseRequested' }
  | { readonly type: 'media.rateChosen'; readonly rate: number }
  | { readonly type: 'media.volumeChosen'; readonly volume: number }
  | { readonly type: 'media.muteToggled' }
  | { readonly type: 'media.loopChosen'; readonly loop: { readonly from: number; readonly to: number } | null }
  | { readonly type: 'media.stepRequested'; readonly direction: 1 | -1 }
  /** What its stream can be asked for. */
  | { readonly type: 'media.offered'; readonly offer: Offer }
  | { readonly type: 'media.magnified'; readonly isMagnified: boolean }
  /** At which rate the clock goes that this picture shares with others. */
  | { readonly type: 'media.sharedRateChanged'; readonly rate: number }
  /** The stream of a live picture is known to have failed. */
  | { readonly type: 'media.lossReported' }
  /** Doesn't wait for the pause before the next attempt. */
  | { readonly type: 'media.retried' }
  | ControllerReport

export type MediaReport =
  /** Frames began, or ceased, to come on; a stall in between doesn't count. */
  | { readonly type: 'media.running'; readonly kind: Source['kind'] }
  | { readonly type: 'media.resting' }
  | { readonly type: 'media.ended'; readonly at: number }
  | { readonly type: 'media.windowMoved'; readonly from: number; readonly to: number }
  /** The loop came to its end, and its start isn't in what is loaded. */
  | { readonly type: 'media.loopEnded' }

/** A live picture that was on the screen has stopped coming; for those who watch many. */
export type MediaLoss = { readonly type: 'media.lost' }
