export interface ViewportSize {
  width: number
  height: number
}

export const viewportSize = (): ViewportSize => ({ width: globalThis.innerWidth, height: globalThis.innerHeight })

export function watchViewport(onChange: (size: ViewportSize) => void): () => void {
  const tell = () => onChange(viewportSize())
  globalThis.addEventListener('resize', tell)
  return () => globalThis.removeEventListener('resize', tell)
}
