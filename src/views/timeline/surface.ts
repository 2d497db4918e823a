export type Surface = {
  readonly ctx: CanvasRenderingContext2D
  readonly width: number
}

/**
 * Keeps the canvas at the device's resolution; its context draws in CSS pixels. A new size, also the first, is applied
 * and reported when a frame asks for the surface: it is painted at once, and no observer changes the layout.
 */
export function watchSurface(
  canvas: HTMLCanvasElement,
  height: number,
  onResized: (width: number) => void,
): { surface: () => Surface | null; stop: () => void } {
  const ctx = canvas.getContext('2d')
  let drawing: Surface | null = null
  let isResized = false
  const fit = () => {
    isResized = false
    const ratio = devicePixelRatio
    const cssWidth = canvas.getBoundingClientRect().width
    canvas.width = Math.round(cssWidth * ratio)
    canvas.height = Math.round(height * ratio)
    ctx?.setTransform(cssWidth === 0 ? 1 : canvas.width / cssWidth, 0, 0, ratio, 0, 0)
    drawing = ctx === null || cssWidth === 0 ? null : { ctx, width: cssWidth }
    onResized(cssWidth)
  }
  const markResized = () => {
    isResized = true
  }
  const observer = new ResizeObserver(markResized)
  observer.observe(canvas)
  globalThis.addEventListener('resize', markResized)
  return {
    surface: () => {
      if (isResized) fit()
      return drawing
    },
    stop: () => {
      observer.disconnect()
      globalThis.removeEventListener('resize', markResized)
    },
  }
}
