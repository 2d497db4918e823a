/** Digital zoom: the point p of the picture is drawn at `p × scale + (x, y)`, in CSS pixels of its box. */
export interface ZoomTransform {
  scale: number
  x: number
  y: number
}

export const noZoom: ZoomTransform = { scale: 1, x: 0, y: 0 }
const maxScale = 10

const within = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/** Zooms by a factor around the point (x, y) of the box; the box stays filled by the picture. */
export function zoomedAt(
  transform: ZoomTransform,
  { factor, x, y }: { factor: number; x: number; y: number },
  box: { width: number; height: number },
): ZoomTransform {
  const scale = within(transform.scale * factor, 1, maxScale)
  if (scale < 1.02) return noZoom
  const ratio = scale / transform.scale
  return {
    scale,
    x: within(x - (x - transform.x) * ratio, box.width * (1 - scale), 0),
    y: within(y - (y - transform.y) * ratio, box.height * (1 - scale), 0),
  }
}
