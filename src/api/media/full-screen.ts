import type { Capabilities } from './capabilities.ts'

/** Shows the attached element in full screen. `attach` and `listen` return the function that undoes them. */
export interface FullScreen {
  attach(element: HTMLElement): () => void
  enter(): void
  exit(): void
  listen(onChange: (isFull: boolean) => void): () => void
}

/** The full screen of one kind of browser; `attached` returns the attached element. */
type Implementation = Omit<FullScreen, 'attach'>
type Attached = () => HTMLElement | null

const byElement = (attached: Attached): Implementation => ({
  enter() {
    attached()
      ?.requestFullscreen()
      .catch(() => undefined)
  },
  exit() {
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined)
  },
  listen(onChange) {
    const report = () => onChange(attached() !== null && document.fullscreenElement === attached())
    document.addEventListener('fullscreenchange', report)
    return () => document.removeEventListener('fullscreenchange', report)
  },
})

/** The iPhone's own player over the page. Its events don't bubble, so they are captured. */
const byVideo = (attached: Attached): Implementation => ({
  enter() {
    try {
      attached()?.querySelector('video')?.webkitEnterFullscreen?.()
    } catch {
      // A video without metadata refuses.
    }
  },
  exit() {
    attached()?.querySelector('video')?.webkitExitFullscreen?.()
  },
  listen(onChange) {
    const listening = new AbortController()
    for (const [type, isFull] of [
      ['webkitbeginfullscreen', true],
      ['webkitendfullscreen', false],
    ] as const) {
      const report = ({ target }: Event) =>
        target instanceof Node && attached()?.contains(target) === true && onChange(isFull)
      document.addEventListener(type, report, { capture: true, signal: listening.signal })
    }
    return () => listening.abort()
  },
})

const unsupported = (): Implementation => ({
  enter: () => undefined,
  exit: () => undefined,
  listen: () => () => undefined,
})

export function createFullScreen(support: Capabilities['fullScreen']): FullScreen {
  let attached: HTMLElement | null = null
  return {
    ...{ element: byElement, video: byVideo, none: unsupported }[support](() => attached),
    attach(element) {
      attached = element
      return () => {
        if (attached === element) attached = null
      }
    },
  }
}
