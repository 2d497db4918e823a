import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { type BandScene, band } from './band.ts'
import { fillSpan } from './spans.ts'

const barHeight = 3
const glyph = { width: 9, height: 7 }

/** A bar along the upper edge of each locked range, with a padlock if it fits. */
export function paintLocks(ctx: CanvasRenderingContext2D, { period, width, locks, colours }: BandScene): void {
  const { top } = band.track
  ctx.fillStyle = colours.text
  ctx.strokeStyle = colours.text
  ctx.lineWidth = 1.5
  for (const { startTime, endTime } of locks) {
    if (endTime < period.from || startTime > period.to) continue
    const left = Math.max(0, Math.round(timeToX(period, width, startTime)))
    const right = Math.min(width, Math.max(left + 1, Math.round(timeToX(period, width, endTime))))
    fillSpan(ctx, { left, right }, top, barHeight)
    if (right - left < glyph.width + 6) continue
    const [x, y] = [left + 3, top + barHeight + 6]
    ctx.fillRect(x, y, glyph.width, glyph.height)
    ctx.beginPath()
    ctx.arc(x + glyph.width / 2, y, 3, Math.PI, 0)
    ctx.stroke()
  }
}
