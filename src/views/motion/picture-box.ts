/**
 * Keeps an element on the picture of the `<video>` beside it, which may be narrower or lower than the element around
 * both. Returns the function that ends it.
 */
export function keepOnPicture(element: HTMLElement): () => void {
  const container = element.parentElement
  const video = container?.querySelector('video') ?? null
  if (container === null || video === null) return () => undefined
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = container
    const ratio = video.videoWidth > 0 ? video.videoWidth / video.videoHeight : 16 / 9
    const shown = { width: Math.min(width, height * ratio), height: Math.min(height, width / ratio) }
    element.style.inset = `${(height - shown.height) / 2}px ${(width - shown.width) / 2}px`
  }
  const resizes = new ResizeObserver(fit)
  resizes.observe(container)
  video.addEventListener('resize', fit)
  fit()
  return () => {
    resizes.disconnect()
    video.removeEventListener('resize', fit)
  }
}
