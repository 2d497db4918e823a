import { failureOf, type MediaFailure } from '../engine/failure.ts'
import { createFrameTable } from '../frames/frame-table.ts'
import { watchFrames, type FrameWatch } from '../frames/frames.ts'
import { releaseVideo, whenReleased } from './release.ts'
import { watchBox } from './picture-box.ts'
import type { Engine } from '../engine/engine.ts'
import { createRestingPicture, type RestingPicture } from './resting-picture.ts'
import { openEngine } from '../engine/shaka-engine.ts'

const watchMs = 250

export interface VideoHandlers {
  readonly events: Readonly<Partial<Record<keyof HTMLMediaElementEventMap, () => void>>>
  /** A new frame is on the screen; without frame callbacks, each animation frame. */
  onFrame(): void
  /** Called a few times a second. */
  onWatch(): void
  /** The page is visible again. */
  onVisible(): void
  /** The picture's size has changed and stopped changing. */
  onResized(): void
  /** The engine reported an error; playback may still continue. Null: see `failureOf`. */
  onEngineError(failure: MediaFailure | null): void
}

/** A `<video>` with the engine that feeds it and a canvas that keeps its last frame while a source changes. */
export interface VideoAttachment {
  readonly video: HTMLVideoElement
  readonly still: HTMLCanvasElement
  readonly frames: FrameWatch
  readonly restingPicture: RestingPicture
  /** The same one in each call; if it couldn't be opened, the next call tries again. */
  engine(): Promise<Engine>
  /** Ends the watches, and destroys the engine in the background. */
  release(): void
}

/** Watches a `<video>`, and opens an engine on it as soon as no other engine uses it. */
export function attachVideo(
  video: HTMLVideoElement,
  still: HTMLCanvasElement,
  handlers: VideoHandlers,
): VideoAttachment {
  // Chromium never frees a `<video>` with a listener on its `remote`, and shaka adds one.
  Object.defineProperty(video, 'remote', { configurable: true, value: undefined })
  // A browser without picture-in-picture for pages, such as older Firefox, draws its own button over the picture.
  const isDisabled = video.hasAttribute('disablePictureInPicture')
  video.toggleAttribute('disablePictureInPicture', isDisabled || !('requestPictureInPicture' in video))
  const listening = new AbortController()
  const { signal } = listening
  const table = createFrameTable()
  const frames = watchFrames(video, table, handlers.onFrame)
  for (const [type, handler] of Object.entries(handlers.events)) video.addEventListener(type, handler, { signal })
  video.addEventListener('emptied', () => frames.forget(), { signal })
  document.addEventListener('visibilitychange', () => !document.hidden && handlers.onVisible(), { signal })
  const timer = setInterval(handlers.onWatch, watchMs)
  const stopBox = watchBox(video, handlers.onResized)
  let opening: Promise<Engine> | null = null
  const open = async () => {
    try {
      await whenReleased(video)
      return await openEngine(video, table, (error) => handlers.onEngineError(failureOf(error)))
    } catch (error) {
      opening = null
      throw error
    }
  }
  const engine = () => (opening ??= open())
  engine().catch(() => undefined)
  return {
    video,
    still,
    frames,
    restingPicture: createRestingPicture(),
    engine,
    release() {
      listening.abort()
      clearInterval(timer)
      stopBox()
      frames.stop()
      releaseVideo(video, opening)
    },
  }
}
