import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { type BandScene, markHandle } from './band.ts'
import { fillSpan } from './spans.ts'

type Marked = Pick<BandScene, 'period' | 'width' | 'selection' | 'colours'>

/** The range between the in and out marks over tracks, and a line at each mark. */
export function paintSelected(
  ctx: CanvasRenderingContext2D,
  { period, width, selection: { from, to }, colours }: Marked,
  { top, height }: { readonly top: number; readonly height: number },
): void {
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
  ctx.fillStyle = colours.accent
  if (from !== null) ctx.fillRect(x(from) - 2, top - 2, 2, height + 4)
  if (to !== null) ctx.fillRect(x(to), top - 2, 2, height + 4)
}

/** The handles by which the marks are dragged. */
export function paintHandles(
  ctx: CanvasRenderingContext2D,
  { period, width, selection: { from, to }, colours }: Marked,
  top: number,
): void {
  const x = (at: number) => Math.round(timeToX(period, width, at))
  for (const left of [from === null ? null : x(from) - markHandle.width, to === null ? null : x(to)]) {
    if (left === null) continue
    ctx.fillStyle = colours.accent
    ctx.fillRect(left, top, markHandle.width, markHandle.height)
    ctx.fillStyle = colours.panel
    for (const line of [4, 7]) ctx.fillRect(left + line, top + 4, 1, markHandle.height - 8)
  }
}
