/**
 * What of the picture is seen: a point of the picture at p is drawn at `p × scale + (x, y)`, in CSS pixels of its box.
 */
export interface Lens {
  scale: number
  x: number
  y: number
}

export const wholePicture: Lens = { scale: 1, x: 0, y: 0 }
const most = 10

const within = (value: number, least: number, greatest: number) => Math.min(greatest, Math.max(least, value))

/** After a zoom that keeps the point (x, y) of the box in its place; never beside the picture. */
export function lensAfter(
  lens: Lens,
  { factor, x, y }: { factor: number; x: number; y: number },
  box: { width: number; height: number },
): Lens {
  const scale = within(lens.scale * factor, 1, most)
  if (scale < 1.02) return wholePicture
  const grown = scale / lens.scale
  return {
    scale,
    x: within(x - (x - lens.x) * grown, box.width * (1 - scale), 0),
    y: within(y - (y - lens.y) * grown, box.height * (1 - scale), 0),
  }
}
