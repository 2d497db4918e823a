import type { ActorRefFrom } from 'xstate'
import type { ApiError } from '../../api/reply.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { mediaMachine } from '../player/media.machine.ts'
import type { ChunksReport } from '../timeline/chunks.events.ts'
import type { Interval } from '../timeline/intervals.ts'

export type TileRef = ActorRefFrom<typeof mediaMachine>

export interface TrackInput {
  readonly uid: string
  readonly tile: TileRef
  readonly isAvailable: boolean
  readonly isLost: boolean
  readonly rangesMaxSeconds: number
  readonly playlistMaxSeconds: number
  readonly now: number
}

export type TrackEvent =
  /** The moment and rate of the shared clock; `at` is null while all tiles are live. */
  | { readonly type: 'track.ticked'; readonly at: number | null; readonly rate: number; readonly now: number }
  /** The period of the timeline and its width in px; only a track in sight fetches what is recorded in it. */
  | { readonly type: 'track.periodChosen'; readonly period: TimeRange; readonly width: number }
  /** The track on the timeline came into sight or left it. */
  | { readonly type: 'track.seen'; readonly isSeen: boolean }
  /** The tile stays live while the others show the archive, until it joins them. */
  | { readonly type: 'track.leftLive' }
  | { readonly type: 'track.joined' }
  /** `isLost`: the stream failed, or its node is away. */
  | { readonly type: 'track.availabilityChanged'; readonly isAvailable: boolean; readonly isLost: boolean }
  /** As the server says now, the user may view the archive. */
  | { readonly type: 'track.permitted' }
  /** The tile is out of sight or the page is hidden, so that the tile is unloaded; `woken`: it plays again. */
  | { readonly type: 'track.rested' }
  | { readonly type: 'track.woken' }
  | (ChunksReport<readonly Interval[]> & { readonly kind: 'ranges' })

export interface TrackContext extends TrackInput {
  /** The moment of the shared clock; null while all tiles are live. */
  at: number | null
  rate: number
  period: TimeRange
  /** The width of the timeline in px. */
  width: number
  /** Whether the track on the timeline is in sight. */
  isSeen: boolean
  /** What is known of the recordings. */
  intervals: readonly Interval[]
  apiError: ApiError | null
  /** The range that the tile was last asked to load, and when; null: none. */
  requested: TimeRange | null
  requestedSince: number
}
