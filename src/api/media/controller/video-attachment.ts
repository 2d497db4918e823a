import { failureOf, type MediaFailure } from '../engine/failure.ts'
import { createFrameTable } from '../frames/frame-table.ts'
import { watchFrames, type FrameWatch } from '../frames/frames.ts'
import { letGo, released } from './release.ts'
import { watchBox } from './picture-box.ts'
import type { Engine } from '../engine/engine.ts'
import { createStalePicture, type StalePicture } from './stale-picture.ts'
import { openEngine } from '../engine/shaka-engine.ts'

const watchMs = 250

export interface VideoHandlers {
  readonly events: Readonly<Partial<Record<keyof HTMLMediaElementEventMap, () => void>>>
  onFrame(): void
  /** A few times a second. */
  onWatch(): void
  onVisible(): void
  /** The picture's place changed, and has rested since. */
  onBox(): void
  /** The engine complained; by itself that doesn't mean that it is dead. */
  onTrouble(failure: MediaFailure | null): void
}

/** A `<video>` with the engine that feeds it and a canvas that keeps its last frame while a source changes. */
export interface VideoAttachment {
  readonly video: HTMLVideoElement
  readonly still: HTMLCanvasElement
  readonly frames: FrameWatch
  readonly stalePicture: StalePicture
  readonly engine: Promise<Engine>
  release(): void
}

/** Opens an engine on a `<video>` as soon as nothing else holds it. */
export function attachVideo(
  video: HTMLVideoElement,
  still: HTMLCanvasElement,
  handlers: VideoHandlers,
): VideoAttachment {
  // Whoever listens to a video's remote playback, as shaka does, keeps the element alive for ever in Chromium.
  Object.defineProperty(video, 'remote', { configurable: true, value: undefined })
  // A browser that lets pages float nothing, as Firefox before 153, lays a button of its own over the picture.
  video.toggleAttribute('disablePictureInPicture', !('requestPictureInPicture' in video))
  const listening = new AbortController()
  const { signal } = listening
  const table = createFrameTable()
  const frames = watchFrames(video, table, handlers.onFrame)
  for (const [type, handler] of Object.entries(handlers.events)) video.addEventListener(type, handler, { signal })
  video.addEventListener('emptied', () => frames.forget(), { signal })
  document.addEventListener('visibilitychange', () => !document.hidden && handlers.onVisible(), { signal })
  const timer = setInterval(handlers.onWatch, watchMs)
  const stopBox = watchBox(video, handlers.onBox)
  const engine = released(video).then(() => openEngine(video, table, (error) => handlers.onTrouble(failureOf(error))))
  engine.catch(() => undefined)
  return {
    video,
    still,
    frames,
    stalePicture: createStalePicture(table),
    engine,
    release() {
      listening.abort()
      clearInterval(timer)
      stopBox()
      frames.stop()
      letGo(video, engine)
    },
  }
}
