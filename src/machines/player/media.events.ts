import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Offer } from './rendition.ts'
import type { Source, ControllerReport } from '../../api/media/controller/media-controller.ts'

/** Commands to the media controller, which owns the `<video>`. */
export type ControllerCommand =
  /** `change` loads another rendition of the same source and continues at the same position. */
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
  | { readonly type: 'controller.setLoop'; readonly loop: TimeRange | null }
  | { readonly type: 'controller.seek'; readonly at: number }
  | { readonly type: 'controller.step'; readonly direction: 1 | -1 }

/** `volume` is 0 to 1. */
export type Sound = { readonly volume: number; readonly isMuted: boolean }
export type MediaInput = { readonly sound: Sound; readonly rate: number }

export type MediaEvent =
  /** Plays a source from its start. If the loaded archive contains that moment, it seeks instead of loading. */
  | { readonly type: 'media.loadRequested'; readonly source: Source }
  | { readonly type: 'media.unloadRequested' }
  | { readonly type: 'media.playRequested' }
  | { readonly type: 'media.pauseRequested' }
  /** A negative rate plays the archive backwards; a source is then played from its end. */
  | { readonly type: 'media.rateChosen'; readonly rate: number }
  | { readonly type: 'media.volumeChosen'; readonly volume: number }
  | { readonly type: 'media.muteToggled' }
  | { readonly type: 'media.loopChosen'; readonly loop: TimeRange | null }
  | { readonly type: 'media.stepRequested'; readonly direction: 1 | -1 }
  /** The renditions of the stream, with each change of it. */
  | { readonly type: 'media.offered'; readonly offer: Offer }
  /** The picture is digitally zoomed, or no longer. */
  | { readonly type: 'media.magnified'; readonly isMagnified: boolean }
  /** The rate of the shared clock, in synchronized playback. */
  | { readonly type: 'media.sharedRateChanged'; readonly rate: number }
  /** The server reports that the stream of a live picture has failed, or that its node is away. */
  | { readonly type: 'media.lossReported' }
  /** The next attempt begins at once. */
  | { readonly type: 'media.retried' }
  | ControllerReport

export type MediaReport =
  /** Playback began. A stall doesn't end it; a pause or the end of the source does: `media.resting`. */
  | { readonly type: 'media.running'; readonly kind: Source['kind'] }
  | { readonly type: 'media.resting' }
  /** A source is loading, or will be loaded again, until `media.settled`. `at`: the requested moment; null: live. */
  | { readonly type: 'media.waiting'; readonly at: number | null }
  /** The source is loaded, or can't be played. */
  | { readonly type: 'media.settled' }
  /** An archive source has played to its end, at the moment `at`; `to`: its requested end, which no seek moves. */
  | { readonly type: 'media.ended'; readonly at: number; readonly to: number }
  /** The live window moved. */
  | { readonly type: 'media.windowMoved'; readonly from: number; readonly to: number }
  /** The loop reached its end, and its start isn't loaded. */
  | { readonly type: 'media.loopEnded' }
  /** Backward playback reached the start of the source, or of the loop. */
  | { readonly type: 'media.startReached'; readonly at: number }

/** A live picture that was on the screen was lost. */
export type MediaLoss = { readonly type: 'media.lost' }
