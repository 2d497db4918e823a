/** The width of a picture on the page and of the window, in CSS pixels. */
export interface PictureBox {
  readonly width: number
  readonly viewportWidth: number
  /** The picture is in full screen and isn't a small tile there. */
  readonly isFull: boolean
}

const settleMs = 250
/** A picture fills the screen if it is at least this fraction of the window's width. */
const fullFraction = 0.75

declare global {
  interface HTMLVideoElement {
    readonly webkitDisplayingFullscreen?: boolean
  }
}

/** Null if the video isn't laid out on the page. */
export function boxOf(video: HTMLVideoElement): PictureBox | null {
  const [width, viewportWidth] = [video.clientWidth, globalThis.innerWidth]
  if (width === 0) return null
  const isInElement = document.fullscreenElement?.contains(video) === true && width >= viewportWidth * fullFraction
  return { width, viewportWidth, isFull: isInElement || video.webkitDisplayingFullscreen === true }
}

/** Calls `onSettled` when the size of a picture has stopped changing. Returns the function that ends the watch. */
export function watchBox(video: HTMLVideoElement, onSettled: () => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(onSettled, settleMs)
  }
  const observer = 'ResizeObserver' in globalThis ? new ResizeObserver(wait) : null
  observer?.observe(video)
  globalThis.addEventListener('resize', wait, { signal })
  document.addEventListener('fullscreenchange', wait, { signal })
  for (const type of ['webkitbeginfullscreen', 'webkitendfullscreen']) video.addEventListener(type, wait, { signal })
  return () => {
    listening.abort()
    observer?.disconnect()
    clearTimeout(timer)
  }
}
