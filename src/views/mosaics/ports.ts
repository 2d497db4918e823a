import type { PlaybackClock, VideoPort } from '../../api/media/controller/media-controller.ts'

export interface MosaicPorts {
  /** Takes the `<video>` of a tile's player, and reports what is on it. */
  controllerOf: (tile: object) => VideoPort & PlaybackClock
  /** The moment of the one clock of the archive, epoch milliseconds. Read with every frame. */
  clock: () => number
  attachScreen: (element: HTMLElement) => () => void
  canFillScreen: boolean
  toggleScreen: () => void
  /** The zone that times are shown in, by the server's own. */
  zoneOf: (server: string) => string
  /** Saves what a part of the page shows of videos as one picture, named by the mosaic and a moment; null for now. */
  takeSnapshot: (part: HTMLElement, name: string, at: number | null) => void
  /** Keeps the screen on while something plays; answers how to let it go. */
  keepAwake: () => () => void
}
