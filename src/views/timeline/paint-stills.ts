import type { Stills } from '../../api/browser/stills.ts'
import type { Still } from '../../machines/timeline/stills.ts'

/** Pixels, as in ThumbnailStrip.module.css. */
export const stripHeight = 48
const spacing = 1

/** Draws each known still over the width of its time, cut to fit. */
export function paintStills(
  ctx: CanvasRenderingContext2D,
  width: number,
  shown: readonly Still[],
  stills: Pick<Stills, 'read'>,
): void {
  ctx.clearRect(0, 0, width, stripHeight)
  for (const { at, left, width: stillWidth } of shown) {
    const picture = stills.read(at)
    if (picture === null) continue
    const scale = Math.max((stillWidth - spacing) / picture.width, stripHeight / picture.height)
    const [cutWidth, cutHeight] = [(stillWidth - spacing) / scale, stripHeight / scale]
    const [x, y] = [(picture.width - cutWidth) / 2, (picture.height - cutHeight) / 2]
    ctx.drawImage(picture, x, y, cutWidth, cutHeight, left, 0, stillWidth - spacing, stripHeight)
  }
}
