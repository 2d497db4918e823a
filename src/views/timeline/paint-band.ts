import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { type BandScene, band, markHandle } from './band.ts'
import { paintAxis } from './paint-axis.ts'
import { paintClockChanges } from './paint-clock-changes.ts'
import { paintLocks } from './paint-locks.ts'
import { paintMarks } from './paint-marks.ts'
import { paintTrack } from './paint-track.ts'
import { fillSpan } from './spans.ts'

export function paintBand(ctx: CanvasRenderingContext2D, scene: BandScene): void {
  const { width, colours } = scene
  ctx.clearRect(0, 0, width, band.height)
  paintTrack(ctx, scene, band.track)
  paintBuffered(ctx, scene)
  paintLocks(ctx, scene)
  paintMarks(ctx, scene)
  paintMotion(ctx, scene)
  paintClockChanges(ctx, scene)
  paintAxis(ctx, scene)
  paintSelection(ctx, scene)
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

function paintSelection(
  ctx: CanvasRenderingContext2D,
  { period, width, selection: { from, to }, colours }: BandScene,
): void {
  const { top, height } = band.track
  const x = (at: number) => Math.round(timeToX(period, width, at))
  if (from !== null && to !== null) {
    const span = { left: Math.max(0, x(from)), right: Math.min(width, Math.max(x(to), x(from) + 1)) }
    ctx.fillStyle = colours.text
    ctx.globalAlpha = 0.28
    fillSpan(ctx, span, top, height)
    ctx.globalAlpha = 1
    ctx.fillStyle = colours.accent
    fillSpan(ctx, span, top - 2, 2)
    fillSpan(ctx, span, top + height, 2)
  }
  for (const [at, direction] of [
    [from, 1],
    [to, -1],
  ] as const) {
    if (at === null) continue
    const edge = x(at)
    const outside = direction === 1 ? edge - markHandle.width : edge
    ctx.fillStyle = colours.accent
    ctx.fillRect(direction === 1 ? edge - 2 : edge, top - 2, 2, height + 4)
    ctx.fillRect(outside, top + height, markHandle.width, markHandle.height)
    ctx.fillStyle = colours.panel
    for (const line of [4, 7]) ctx.fillRect(outside + line, top + height + 4, 1, markHandle.height - 8)
  }
}
