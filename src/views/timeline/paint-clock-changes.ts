import type { TimeRange } from '../../api/contract/time-range.ts'
import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { clockChanges, type OffsetRange } from '../../machines/timeline/timeline-labels.ts'
import { band } from './band.ts'
import type { CanvasColours } from './canvas-colours.ts'

interface ClockScene {
  readonly period: TimeRange
  readonly width: number
  readonly offsets: readonly OffsetRange[]
  readonly colours: CanvasColours
}

const axisHeight = band.axis
/** Pixels between the diagonal lines. */
const spacing = 5

/** Where clocks go back, both passes of the repeated hour are hatched; where they go forward, there is a notch. */
export function paintClockChanges(
  ctx: CanvasRenderingContext2D,
  { period, width, offsets, colours }: ClockScene,
): void {
  const x = (at: number) => Math.round(timeToX(period, width, at))
  ctx.fillStyle = colours.muted
  ctx.strokeStyle = colours.muted
  ctx.lineWidth = 1
  for (const change of clockChanges(period, offsets)) {
    const middle = x(change.at)
    if (change.kind === 'repeated') {
      paintPass(ctx, Math.max(-2, x(change.from)), middle - 1)
      paintPass(ctx, middle + 1, Math.min(width + 2, x(change.to)))
    } else {
      ctx.beginPath()
      ctx.moveTo(middle - 5, axisHeight - 6)
      ctx.lineTo(middle + 6, axisHeight - 6)
      ctx.lineTo(middle + 0.5, axisHeight)
      ctx.fill()
    }
  }
}

function paintPass(ctx: CanvasRenderingContext2D, left: number, right: number): void {
  if (right <= left) return
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, 0, right - left, axisHeight)
  ctx.clip()
  ctx.globalAlpha = 0.3
  ctx.beginPath()
  for (let start = Math.floor(left / spacing) * spacing - axisHeight; start < right; start += spacing) {
    ctx.moveTo(start, axisHeight)
    ctx.lineTo(start + axisHeight, 0)
  }
  ctx.stroke()
  ctx.restore()
  ctx.fillRect(left, axisHeight - 2, right - left, 2)
  ctx.fillRect(left, axisHeight - 7, 1, 6)
  ctx.fillRect(right - 1, axisHeight - 7, 1, 6)
}
