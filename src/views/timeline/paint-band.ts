import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { type BandScene, band } from './band.ts'
import { paintAxis } from './paint-axis.ts'
import { paintClockChanges } from './paint-clock-changes.ts'
import { paintLocks } from './paint-locks.ts'
import { paintAnnotations } from './paint-annotations.ts'
import { paintHandles, paintSelected } from './paint-selection.ts'
import { paintTrack } from './paint-track.ts'
import { fillSpan } from './spans.ts'

export function paintBand(ctx: CanvasRenderingContext2D, scene: BandScene): void {
  const { width, colours } = scene
  ctx.clearRect(0, 0, width, band.height)
  paintTrack(ctx, scene, band.track)
  paintBuffered(ctx, scene)
  paintLocks(ctx, scene)
  paintAnnotations(ctx, scene)
  paintMotion(ctx, scene)
  paintClockChanges(ctx, scene)
  paintAxis(ctx, scene)
  paintSelected(ctx, scene, band.track)
  paintHandles(ctx, scene, band.track.top + band.track.height)
  // A dashed line at now.
  const nowX = Math.round(timeToX(scene.period, width, scene.now))
  if (nowX >= 0 && nowX <= width) {
    ctx.fillStyle = colours.text
    ctx.globalAlpha = 0.55
    for (let y = band.axis - 2; y < band.height; y += 6) ctx.fillRect(nowX, y, 1, 3)
    ctx.globalAlpha = 1
  }
}

function paintBuffered(ctx: CanvasRenderingContext2D, { period, width, buffered, colours }: BandScene): void {
  ctx.fillStyle = colours.text
  ctx.globalAlpha = 0.75
  for (const { from, to } of buffered) {
    const left = Math.max(0, timeToX(period, width, from))
    const right = Math.min(width, timeToX(period, width, to))
    if (right > left) ctx.fillRect(left, band.track.top + band.track.height - 3, right - left, 3)
  }
  ctx.globalAlpha = 1
}

/** A bar below the track for each range with motion, at least two pixels wide. */
function paintMotion(ctx: CanvasRenderingContext2D, { period, width, foundMotion, colours }: BandScene): void {
  ctx.fillStyle = colours.accent
  for (const { startTime, endTime } of foundMotion) {
    if (endTime < period.from || startTime > period.to) continue
    const left = Math.max(0, Math.round(timeToX(period, width, startTime)))
    const right = Math.min(width, Math.max(left + 2, Math.round(timeToX(period, width, endTime))))
    fillSpan(ctx, { left, right }, band.track.top + band.track.height + 1, 3)
  }
}
