import type { PlayerAddress } from '../player/address.ts'
import type { MarkEvent } from '../player/in-out-marks.ts'
import type { TimelineEvent } from '../timeline/timeline.events.ts'
import type { TileRef } from './track.events.ts'
import type { TrackRef } from './track.machine.ts'

/** `isSeen`: in sight, as tiles out of sight are unloaded. */
export interface TileSlot {
  readonly key: string
  readonly uid: string
  readonly tile: TileRef
  readonly isAvailable: boolean
  readonly isSeen: boolean
}

export interface SyncPlaybackInput {
  readonly slots: readonly TileSlot[]
  readonly limits: { readonly rangesMaxSeconds: number; readonly playlistMaxSeconds: number }
  readonly now: number
  readonly zone: string
  readonly address: PlayerAddress
}

/** What changes the period that the timeline shows. */
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
  /** All tiles show a moment of the archive, except tiles that were left live; a moment of the last 15 s means live. */
  | { readonly type: 'moment.requested'; readonly at: number }
  /** All tiles show the moment, including tiles that were left live. */
  | { readonly type: 'moment.shared'; readonly at: number }
  | { readonly type: 'live.requested' }
  | { readonly type: 'play.requested' }
  | { readonly type: 'pause.requested' }
  | { readonly type: 'speed.chosen'; readonly rate: number }
  /** Backwards, at a negative rate; from the archive only. */
  | { readonly type: 'reverse.requested'; readonly rate: number }
  | { readonly type: 'step.requested'; readonly direction: 1 | -1 }
  | { readonly type: 'tile.leftLive'; readonly key: string }
  | { readonly type: 'tile.joined'; readonly key: string }
  | { readonly type: 'track.seen'; readonly key: string; readonly isSeen: boolean }
  | { readonly type: 'slots.changed'; readonly slots: readonly TileSlot[] }
  /** The moment of the shared clock: a few times per second, and at once after it was set. */
  | { readonly type: 'sharedClock.ticked'; readonly at: number; readonly now: number }
  | { readonly type: 'address.moved'; readonly address: PlayerAddress }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/** `at` null: keeps the moment. `rate` 0 stops the clock; negative, `reverseRounds` moves it. */
export type SharedClockCommand = { readonly type: 'sharedClock.set'; readonly at: number | null; readonly rate: number }

/** The tiles have changed while they play backwards. */
export type ReverseRoundsCommand = { readonly type: 'tracks.changed'; readonly tracks: readonly TrackRef[] }

export type ReadinessBarrierInput = { readonly tracks: readonly TrackRef[] }
