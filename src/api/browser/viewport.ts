export interface ViewportSize {
  width: number
  height: number
}

export const viewportSize = (): ViewportSize => ({ width: globalThis.innerWidth, height: globalThis.innerHeight })

export function watchViewport(onChange: (size: ViewportSize) => void): () => void {
  const report = () => onChange(viewportSize())
  globalThis.addEventListener('resize', report)
  return () => globalThis.removeEventListener('resize', report)
}
