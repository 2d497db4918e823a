import type { Capabilities } from '../../api/media/capabilities.ts'
import type { PlaybackClock, VideoPort } from '../../api/media/controller/media-controller.ts'

export interface PlayerPorts {
  controller: VideoPort & PlaybackClock
  capabilities: Capabilities
  /** Takes the element that can fill the screen; answers how to let it go. */
  attachScreen: (element: HTMLElement) => () => void
  /** The picture of the stream at a moment, its latest one for null; null where there is none. */
  preview: (uid: string, at: number | null, signal: AbortSignal) => Promise<Blob | null>
}
