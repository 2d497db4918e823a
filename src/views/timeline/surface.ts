export type Surface = {
  readonly ctx: CanvasRenderingContext2D
  readonly width: number
}

/** Keeps the canvas at the device's resolution; its context draws in CSS pixels. Reports the first size, too. */
export function watchSurface(
  canvas: HTMLCanvasElement,
  height: number,
  onResized: (width: number) => void,
): { surface: () => Surface | null; stop: () => void } {
  const ctx = canvas.getContext('2d')
  let width = 0
  const fit = () => {
    const ratio = devicePixelRatio
    const cssWidth = canvas.getBoundingClientRect().width
    canvas.width = Math.round(cssWidth * ratio)
    canvas.height = Math.round(height * ratio)
    ctx?.setTransform(cssWidth === 0 ? 1 : canvas.width / cssWidth, 0, 0, ratio, 0, 0)
    width = cssWidth
    onResized(cssWidth)
  }
  const observer = new ResizeObserver(fit)
  observer.observe(canvas)
  globalThis.addEventListener('resize', fit)
  return {
    surface: () => (ctx === null || width === 0 ? null : { ctx, width }),
    stop: () => {
      observer.disconnect()
      globalThis.removeEventListener('resize', fit)
    },
  }
}
