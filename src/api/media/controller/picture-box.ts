/** The size of a picture on the page, in CSS pixels. */
export interface PictureBox {
  readonly width: number
  readonly viewportWidth: number
  /** It fills the screen alone, not as one of many. */
  readonly isFull: boolean
}

const restMs = 250
/** A picture this wide, by its share of the window's width, fills the screen. */
const fullShare = 0.75

declare global {
  interface HTMLVideoElement {
    readonly webkitDisplayingFullscreen?: boolean
  }
}

/** Null if the video isn't laid out on the page. */
export function boxOf(video: HTMLVideoElement): PictureBox | null {
  const [width, viewportWidth] = [video.clientWidth, globalThis.innerWidth]
  if (width === 0) return null
  const isWithin = document.fullscreenElement?.contains(video) === true && width >= viewportWidth * fullShare
  return { width, viewportWidth, isFull: isWithin || video.webkitDisplayingFullscreen === true }
}

/** Calls `onRest` when a change of a picture's size has settled. Returns the function that ends the watch. */
export function watchBox(video: HTMLVideoElement, onRest: () => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(onRest, restMs)
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
