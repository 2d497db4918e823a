import type { ActorRefFrom } from 'xstate'
import type { ApiError } from '../../api/reply.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { mediaMachine } from '../player/media.machine.ts'
import type { ChunksReport } from '../timeline/chunks.machine.ts'
import type { Interval } from '../timeline/intervals.ts'

export type TileRef = ActorRefFrom<typeof mediaMachine>

export interface TrackInput {
  readonly uid: string
  readonly tile: TileRef
  readonly isAvailable: boolean
  readonly rangesMaxSeconds: number
  readonly playlistMaxSeconds: number
  readonly now: number
}

export type TrackEvent =
  /** The moment of the shared clock; null while all tiles are live. */
  | { readonly type: 'track.ticked'; readonly at: number | null; readonly rate: number; readonly now: number }
  /** The period of the timeline; only a track in sight fetches its recorded ranges. */
  | { readonly type: 'track.periodChosen'; readonly period: TimeRange; readonly width: number }
  | { readonly type: 'track.seen'; readonly isSeen: boolean }
  | { readonly type: 'track.leftLive' }
  | { readonly type: 'track.joined' }
  | { readonly type: 'track.availabilityChanged'; readonly isAvailable: boolean }
  | { readonly type: 'track.rested' }
  | { readonly type: 'track.woken' }
  | (ChunksReport<readonly Interval[]> & { readonly kind: 'ranges' })

export interface TrackContext extends TrackInput {
  at: number | null
  rate: number
  period: TimeRange
  width: number
  isSeen: boolean
  intervals: readonly Interval[]
  apiError: ApiError | null
  /** The range last sent to the tile to load, and when it was sent (epoch ms). */
  requested: TimeRange | null
  requestedSince: number
}
