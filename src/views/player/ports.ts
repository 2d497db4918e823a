import type { Capabilities } from '../../api/media/capabilities.ts'
import type { ComponentType } from 'react'
import type { PlaybackClock, VideoPort } from '../../api/media/controller/media-controller.ts'
import type { PlayerPageRef } from '../../machines/player/player.selectors.ts'
import type { ThumbnailsRef } from '../../machines/timeline/thumbnails.machine.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import type { Deferred } from '../ui/deferred.ts'

export interface PlayerPorts {
  /** Loads the motion search and gives it to the page. */
  loadMotion: (page: PlayerPageRef) => void
  controller: VideoPort & PlaybackClock
  /** Epoch milliseconds now, by the server's clock. */
  serverNow: () => number
  capabilities: Capabilities
  /** Sets the element that full screen shows; returns the function that unsets it. */
  attachScreen: (element: HTMLElement) => () => void
  /** The stills along the timeline, loaded when they are turned on. */
  stills: Deferred<{ Strip: ComponentType<{ timeline: TimelineRef; thumbnails: ThumbnailsRef }> }>
}
