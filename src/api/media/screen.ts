import type { Capabilities } from './capabilities.ts'

export interface Screen {
  attach(element: HTMLElement): () => void
  fill(): void
  leave(): void
  listen(onChange: (isFull: boolean) => void): () => void
}

type Taken = () => HTMLElement | null

const byElement = (taken: Taken): Omit<Screen, 'attach'> => ({
  fill() {
    taken()
      ?.requestFullscreen()
      .catch(() => undefined)
  },
  leave() {
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined)
  },
  listen(onChange) {
    const report = () => onChange(taken() !== null && document.fullscreenElement === taken())
    document.addEventListener('fullscreenchange', report)
    return () => document.removeEventListener('fullscreenchange', report)
  },
})

/** The system's own player over the page, reported by events that don't bubble. */
const byVideo = (taken: Taken): Omit<Screen, 'attach'> => ({
  fill() {
    try {
      taken()?.querySelector('video')?.webkitEnterFullscreen?.()
    } catch {
      // Nothing was loaded yet.
    }
  },
  leave() {
    taken()?.querySelector('video')?.webkitExitFullscreen?.()
  },
  listen(onChange) {
    const listening = new AbortController()
    for (const [type, isFull] of [
      ['webkitbeginfullscreen', true],
      ['webkitendfullscreen', false],
    ] as const) {
      const report = ({ target }: Event) =>
        target instanceof Node && taken()?.contains(target) === true && onChange(isFull)
      document.addEventListener(type, report, { capture: true, signal: listening.signal })
    }
    return () => listening.abort()
  },
})

const unable = (): Omit<Screen, 'attach'> => ({
  fill: () => undefined,
  leave: () => undefined,
  listen: () => () => undefined,
})

export function createScreen(way: Capabilities['fillsScreen']): Screen {
  let element: HTMLElement | null = null
  return {
    ...{ element: byElement, video: byVideo, none: unable }[way](() => element),
    attach(taken) {
      element = taken
      return () => {
        if (element === taken) element = null
      }
    },
  }
}
