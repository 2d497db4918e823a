import type { PlayerAddress } from '../player/address.ts'
import type { TimelineEvent } from '../timeline/timeline.events.ts'
import type { TileRef } from './track.events.ts'
import type { TrackRef } from './track.machine.ts'

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
  /** All that aren't left live go to a moment of the archive; one of the last seconds is live. */
  | { readonly type: 'moment.requested'; readonly at: number }
  /** As before, and tiles that were left live join. */
  | { readonly type: 'moment.shared'; readonly at: number }
  | { readonly type: 'live.requested' }
  | { readonly type: 'play.requested' }
  | { readonly type: 'pause.requested' }
  | { readonly type: 'speed.chosen'; readonly rate: number }
  | { readonly type: 'step.requested'; readonly direction: 1 | -1 }
  | { readonly type: 'tile.leftLive'; readonly key: string }
  | { readonly type: 'tile.joined'; readonly key: string }
  | { readonly type: 'track.seen'; readonly key: string; readonly isSeen: boolean }
  | { readonly type: 'slots.changed'; readonly slots: readonly TileSlot[] }
  /** Where the one clock stands: a few times a second, and at once after it was set. */
  | { readonly type: 'sharedClock.ticked'; readonly at: number; readonly now: number }
  | { readonly type: 'address.moved'; readonly address: PlayerAddress }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/** `at` null: from where it is. */
export type SharedClockCommand = { readonly type: 'sharedClock.set'; readonly at: number | null; readonly rate: number }

export type ReadinessBarrierInput = { readonly tracks: readonly TrackRef[] }
