/** How much room a picture has, in CSS pixels. */
export interface PictureBox {
  readonly width: number
  readonly viewportWidth: number
  /** It fills the screen by itself, rather than as one of many. */
  readonly isFull: boolean
}

const restMs = 250
/** A picture that fills the screen leaves no more than a quarter of its width to anything else. */
const fullShare = 0.75

declare global {
  interface HTMLVideoElement {
    readonly webkitDisplayingFullscreen?: boolean
  }
}

/** Null for a video that has no place on the page. */
export function boxOf(video: HTMLVideoElement): PictureBox | null {
  const [width, viewportWidth] = [video.clientWidth, globalThis.innerWidth]
  if (width === 0) return null
  const isWithin = document.fullscreenElement?.contains(video) === true && width >= viewportWidth * fullShare
  return { width, viewportWidth, isFull: isWithin || video.webkitDisplayingFullscreen === true }
}

/** Tells when a change of a picture's place has rested for a moment. Answers the function that ends the watch. */
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
