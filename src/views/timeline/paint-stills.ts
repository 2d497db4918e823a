import type { Stills } from '../../api/browser/stills.ts'
import type { Still } from '../../machines/timeline/stills.ts'

/** As in ThumbnailStrip.module.css. */
export const stripHeight = 48
/** Between two stills. */
const spacing = 1

/** Draws the stills that are loaded, each as wide as its time and cropped to fit. */
export function paintStills(
  ctx: CanvasRenderingContext2D,
  width: number,
  shown: readonly Still[],
  stills: Pick<Stills, 'read'>,
): void {
  ctx.clearRect(0, 0, width, stripHeight)
  for (const still of shown) {
    const picture = stills.read(still.at)
    if (picture === null) continue
    const stillWidth = still.width - spacing
    const scale = Math.max(stillWidth / picture.width, stripHeight / picture.height)
    const cropWidth = stillWidth / scale
    const cropHeight = stripHeight / scale
    const x = (picture.width - cropWidth) / 2
    const y = (picture.height - cropHeight) / 2
    ctx.drawImage(picture, x, y, cropWidth, cropHeight, still.left, 0, stillWidth, stripHeight)
  }
}
