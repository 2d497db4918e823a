import type { PlayerAddress } from '../player/address.ts'
import type { MarkEvent } from '../player/in-out-marks.ts'
import type { TimelineEvent } from '../timeline/timeline.events.ts'
import type { TileRef } from './track.events.ts'
import type { TrackRef } from './track.machine.ts'

/**
 * A tile and its player. `isAvailable`: its stream can play; `isLost`: its stream failed or its node is away;
 * `isPermitted`: the user may view its archive; `isSeen`: it isn't unloaded as out of sight.
 */
export interface TileSlot {
  readonly key: string
  readonly uid: string
  readonly tile: TileRef
  readonly isAvailable: boolean
  readonly isLost: boolean
  readonly isPermitted: boolean
  readonly isSeen: boolean
}

export interface SyncPlaybackInput {
  readonly slots: readonly TileSlot[]
  readonly limits: { readonly rangesMaxSeconds: number; readonly playlistMaxSeconds: number }
  readonly now: number
  readonly zone: string
  readonly address: PlayerAddress
}

/** The events of the timeline that change the period that it shows. */
export type PeriodMove = Extract<
  TimelineEvent,
  {
    type:
      | 'timeline.zoomedIn'
      | 'timeline.zoomedOut'
      | 'timeline.zoomedAt'
      | 'timeline.movedEarlier'
      | 'timeline.movedLater'
      | 'timeline.centred'
      | 'timeline.panned'
      | 'timeline.resized'
  }
>

export type SyncPlaybackEvent =
  | PeriodMove
  | MarkEvent
  /** All tiles show a moment of the archive, except those that were left live. A moment of the last 15 s means live. */
  | { readonly type: 'moment.requested'; readonly at: number }
  /** All tiles show the moment, including tiles that were left live. */
  | { readonly type: 'moment.shared'; readonly at: number }
  | { readonly type: 'live.requested' }
  | { readonly type: 'play.requested' }
  | { readonly type: 'pause.requested' }
  | { readonly type: 'speed.chosen'; readonly rate: number }
  /** The archive plays backwards, at a negative rate. */
  | { readonly type: 'reverse.requested'; readonly rate: number }
  | { readonly type: 'step.requested'; readonly direction: 1 | -1 }
  /** One tile stays live while the others show the archive, until it joins them. */
  | { readonly type: 'tile.leftLive'; readonly key: string }
  | { readonly type: 'tile.joined'; readonly key: string }
  /** The camera's track on the timeline came into sight or left it. */
  | { readonly type: 'track.seen'; readonly key: string; readonly isSeen: boolean }
  | { readonly type: 'slots.changed'; readonly slots: readonly TileSlot[] }
  /** The moment of the shared clock: a few times per second, and at once after it was set. */
  | { readonly type: 'sharedClock.ticked'; readonly at: number; readonly now: number }
  | { readonly type: 'address.moved'; readonly address: PlayerAddress }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/** `at` null: the clock keeps its moment. A `rate` of 0 stops it; at a negative one `reverseRounds` moves it. */
export type SharedClockCommand = { readonly type: 'sharedClock.set'; readonly at: number | null; readonly rate: number }

/** The mosaic got other tiles during backward playback. */
export type ReverseRoundsCommand = { readonly type: 'tracks.changed'; readonly tracks: readonly TrackRef[] }

export type ReadinessBarrierInput = { readonly tracks: readonly TrackRef[] }
