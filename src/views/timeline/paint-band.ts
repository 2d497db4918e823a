import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { type BandScene, band } from './band.ts'
import { paintAxis } from './paint-axis.ts'
import { paintClockChanges } from './paint-clock-changes.ts'
import { paintMarks } from './paint-marks.ts'
import { paintTrack } from './paint-track.ts'
import { fillSpan } from './spans.ts'

export function paintBand(ctx: CanvasRenderingContext2D, scene: BandScene): void {
  const { width, palette } = scene
  ctx.clearRect(0, 0, width, band.height)
  paintTrack(ctx, scene, band.track)
  paintBuffered(ctx, scene)
  paintMarks(ctx, scene)
  paintClockChanges(ctx, scene)
  paintAxis(ctx, scene)
  paintSelection(ctx, scene)
  const nowX = Math.round(timeToX(scene.period, width, scene.now))
  if (nowX >= 0 && nowX <= width) {
    ctx.fillStyle = palette.text
    ctx.globalAlpha = 0.55
    for (let y = band.axis - 2; y < band.height; y += 6) ctx.fillRect(nowX, y, 1, 3)
    ctx.globalAlpha = 1
  }
}

function paintBuffered(ctx: CanvasRenderingContext2D, { period, width, buffered, palette }: BandScene): void {
  ctx.fillStyle = palette.text
  ctx.globalAlpha = 0.75
  for (const { from, to } of buffered) {
    const left = Math.max(0, timeToX(period, width, from))
    const right = Math.min(width, timeToX(period, width, to))
    if (right > left) ctx.fillRect(left, band.track.top + band.track.height - 3, right - left, 3)
  }
  ctx.globalAlpha = 1
}

function paintSelection(
  ctx: CanvasRenderingContext2D,
  { period, width, selection: { from, to }, palette }: BandScene,
): void {
  const { top, height } = band.track
  const x = (at: number) => Math.round(timeToX(period, width, at))
  if (from !== null && to !== null) {
    const span = { left: Math.max(0, x(from)), right: Math.min(width, x(to)) }
    ctx.fillStyle = palette.text
    ctx.globalAlpha = 0.28
    fillSpan(ctx, span, top, height)
    ctx.globalAlpha = 1
    ctx.fillStyle = palette.accent
    fillSpan(ctx, span, top - 2, 2)
    fillSpan(ctx, span, top + height, 2)
  }
  ctx.fillStyle = palette.accent
  for (const [at, direction] of [
    [from, 1],
    [to, -1],
  ] as const) {
    if (at === null) continue
    const edge = x(at)
    ctx.fillRect(edge - 1, top - 2, 2, height + 12)
    ctx.beginPath()
    ctx.moveTo(edge - direction, top + height + 2)
    ctx.lineTo(edge + direction * 8, top + height + 6)
    ctx.lineTo(edge - direction, top + height + 10)
    ctx.fill()
  }
}
