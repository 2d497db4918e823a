import type { MediaController } from '../../api/media/media-controller.ts'

export interface MosaicPorts {
  controllerOf: (tile: object) => MediaController
  /** The moment of the one clock of the archive, epoch milliseconds. Read with every frame. */
  clock: () => number
  attachScreen: (element: HTMLElement) => () => void
  canFillScreen: boolean
  toggleScreen: () => void
  /** Keeps the screen on while something plays; answers how to let it go. */
  keepAwake: () => () => void
}
