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

/** `now` is epoch milliseconds. An address with a moment opens the archive there. */
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
  /** About once a second; `playing` is the moment on the screen. */
  | { readonly type: 'clock.ticked'; readonly now: number; readonly playing: number | null }
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
  /** To the start of the next (1) or the previous (-1) fragment or annotation, from the moment `at`. */
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
  | { readonly type: 'panel.opened'; readonly panel: Panel; readonly at: number | null }
  | { readonly type: 'panel.closed' }
  | { readonly type: 'snapshot.requested' }
  /** The browser's address changed, and not by the player itself. */
  | { readonly type: 'address.moved'; readonly address: PlayerAddress }
  | SelectionReport
  | ClipReport
  | MediaReport
  | TimelineReport

export type PlayerReport =
  /** Live playback began, so that an on-demand stream must be kept running, or ended. */
  { readonly type: 'stream.playing' } | { readonly type: 'stream.idle' }
