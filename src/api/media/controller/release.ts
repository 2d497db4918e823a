import type { Engine } from '../engine/engine.ts'

const releasing = new WeakMap<HTMLVideoElement, Promise<unknown>>()

/** Resolves when no player uses the video any more: a new one on it before would never load. */
export const released = (video: HTMLVideoElement): Promise<unknown> =>
  (releasing.get(video) ?? Promise.resolve()).catch(() => undefined)

export function letGo(video: HTMLVideoElement, engine: Promise<Engine>): void {
  const destroyed = engine.then((opened) => opened.destroy())
  const emptied = destroyed.finally(() => {
    video.removeAttribute('src')
    video.load()
  })
  releasing.set(video, emptied)
  emptied.catch(() => undefined)
}
