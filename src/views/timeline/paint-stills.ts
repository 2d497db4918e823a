import type { Stills } from '../../api/browser/stills.ts'
import type { Still } from '../../machines/timeline/stills.ts'

/** Pixels, as in ThumbnailStrip.module.css. */
export const stripHeight = 48
/** Pixels between two stills. */
const spacing = 1

/** Draws each loaded still over the width of its time, cropped to fit. */
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
    const [cropWidth, cropHeight] = [(stillWidth - spacing) / scale, stripHeight / scale]
    const [x, y] = [(picture.width - cropWidth) / 2, (picture.height - cropHeight) / 2]
    ctx.drawImage(picture, x, y, cropWidth, cropHeight, left, 0, stillWidth - spacing, stripHeight)
  }
}
