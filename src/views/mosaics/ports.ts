import type { PlaybackClock, VideoPort } from '../../api/media/controller/media-controller.ts'

export interface MosaicPorts {
  /** Takes the `<video>` of a tile's player, and tells what is on it. */
  controllerOf: (tile: object) => VideoPort & PlaybackClock
  /** The moment of the one clock of the archive, epoch milliseconds. Read with every frame. */
  clock: () => number
  attachScreen: (element: HTMLElement) => () => void
  canFillScreen: boolean
  toggleScreen: () => void
  /** The zone that times are shown in, by the server's own. */
  zoneOf: (server: string) => string
  /** Keeps the screen on while something plays; answers how to let it go. */
  keepAwake: () => () => void
}
