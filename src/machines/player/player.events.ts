import type { Settings } from '../../api/contract/settings.ts'
import type { Stream } from '../../api/contract/stream.ts'
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
