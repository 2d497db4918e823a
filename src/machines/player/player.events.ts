import type { Settings } from '../../api/contract/settings.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { ClipReport } from './clip.machine.ts'
import type { MediaReport, Sound } from './media.events.ts'
import type { TimelineReport } from '../timeline/timeline.events.ts'
import type { BookmarkLocation } from '../bookmarks/bookmark-location.ts'
import type { PlayerAddress } from './address.ts'
import type { SelectionReport } from './selection.machine.ts'
import type { ZoneChoice, Zones } from './zones.ts'

export type PlayerLimits = Pick<
  Settings,
  'playlistMaxSeconds' | 'rangesMaxSeconds' | 'archiveDownloadMaxSeconds' | 'clusterEnabled' | 'nodeId'
>

/** An address with a moment opens the archive there. */
export type PlayerInput = {
  readonly uid: string
  readonly limits: PlayerLimits
  readonly now: number
  readonly zones: Zones
  readonly zoneChoice: ZoneChoice
  readonly sound: Sound
  readonly address: PlayerAddress
  readonly stream: Stream | null
  readonly bookmarkLocation: BookmarkLocation | null
}

export interface PlayerContext {
  uid: string
  limits: PlayerLimits
  zones: Zones
  zoneChoice: ZoneChoice
  zone: string
  sound: Sound
  /** Epoch ms, as are the other moments. */
  now: number
  playhead: number | null
  stream: Stream | null
  /** How far the live window reaches back from now, in milliseconds. */
  liveWindow: number
  /** The range that the archive playlist was requested for; null in live. */
  range: TimeRange | null
  /** Where playback reached an end of the last range: its start, if it plays backwards. */
  endedAt: number
  address: PlayerAddress
  /**
   * Whether the player is on its way to a moment that the address requested, or to the start of the loop; arriving adds
   * no history entry.
   */
  isFollowing: boolean
  bookmarkLocation: BookmarkLocation | null
  /** The moment that a panel was opened for. */
  panelAt: number | null
  /** The negative rate of backward playback; null while the archive plays forwards or is paused. */
  reverse: number | null
}

export type Panel = 'calendar' | 'download' | 'bookmark'

export type PlayerEvent =
  | { readonly type: 'stream.reported'; readonly stream: Stream }
  /** About once a second. */
  | { readonly type: 'clock.ticked'; readonly now: number; readonly playhead: number | null }
  | { readonly type: 'live.requested' }
  | { readonly type: 'moment.requested'; readonly at: number }
  | { readonly type: 'play.requested' }
  | { readonly type: 'pause.requested' }
  | { readonly type: 'retry.requested' }
  | { readonly type: 'speed.chosen'; readonly rate: number }
  /** Plays the archive backwards; `rate` is negative. */
  | { readonly type: 'reverse.requested'; readonly rate: number }
  | { readonly type: 'volume.chosen'; readonly volume: number }
  | { readonly type: 'mute.toggled' }
  | { readonly type: 'step.requested'; readonly direction: 1 | -1 }
  /** Goes to the start of the next (1) or the previous (-1) fragment or annotation, seen from the moment `at`. */
  | {
      readonly type: 'skip.requested'
      readonly to: 'fragment' | 'annotation'
      readonly direction: 1 | -1
      readonly at: number
    }
  | { readonly type: 'loop.toggled' }
  | { readonly type: 'zone.chosen'; readonly choice: ZoneChoice }
  | { readonly type: 'fullScreen.toggled' }
  | { readonly type: 'screen.filled' }
  | { readonly type: 'screen.left' }
  /** `at`: the moment that the panel is for, mostly the playhead; null if no frame is on the screen. */
  | { readonly type: 'panel.opened'; readonly panel: Panel; readonly at: number | null }
  | { readonly type: 'panel.closed' }
  | { readonly type: 'snapshot.requested' }
  /** The user or another page changed the browser's address, not the player itself. */
  | { readonly type: 'address.moved'; readonly address: PlayerAddress }
  | SelectionReport
  | ClipReport
  | MediaReport
  | TimelineReport

/** Sent to the page: live playback began, so that an on-demand stream must be kept running, or it ended. */
export type PlayerReport = { readonly type: 'stream.playing' } | { readonly type: 'stream.idle' }
