import type { Engine } from '../engine/engine.ts'

const releasing = new WeakMap<HTMLVideoElement, Promise<unknown>>()

/**
 * Resolves when no engine uses the `<video>` any more. An engine that attaches earlier never loads. As every engine
 * attaches only after this, the last release of a `<video>` is also the last one to end.
 */
export const whenReleased = (video: HTMLVideoElement): Promise<unknown> =>
  (releasing.get(video) ?? Promise.resolve()).catch(() => undefined)

/** Destroys the engine of a `<video>`, if it has one, and empties the `<video>`. */
export function releaseVideo(video: HTMLVideoElement, engine: Promise<Engine> | null): void {
  const destroyed = Promise.resolve(engine).then((opened) => opened?.destroy())
  const emptied = destroyed.finally(() => {
    video.removeAttribute('src')
    video.load()
  })
  releasing.set(video, emptied)
  emptied.catch(() => undefined)
}
