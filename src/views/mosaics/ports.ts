import type { TimeRange } from '../../api/contract/time-range.ts'
import type { MosaicRef } from '../../machines/mosaics/mosaic.selectors.ts'
import type { PlaybackClock, VideoPort } from '../../api/media/controller/media-controller.ts'

export interface MosaicPorts {
  /** The media controller of a tile: takes its `<video>` and reports the playback. */
  controllerOf: (tile: object) => VideoPort & PlaybackClock
  /** Epoch milliseconds now, by the server's clock. */
  serverNow: () => number
  /** The moment of the shared clock, in epoch milliseconds. Read in every animation frame. */
  clock: () => number
  /** Loads the export of a range of all cameras, and opens it. */
  openExport: (page: MosaicRef, range: TimeRange, zone: string) => void
  /** Loads the lock of a range of all cameras, and opens it. */
  openLock: (page: MosaicRef, range: TimeRange) => void
  attachScreen: (element: HTMLElement) => () => void
  canFillScreen: boolean
  toggleScreen: () => void
  /** The time zone for display, given the server's. */
  zoneOf: (server: string) => string
  /** Saves the videos in a part of the page as one image, named by the mosaic and the moment; null for now. */
  takeSnapshot: (page: MosaicRef, part: HTMLElement, named: { name: string; zone: string; at: number | null }) => void
  /** Keeps the screen awake until the returned function is called. */
  keepAwake: () => () => void
}
