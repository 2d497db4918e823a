import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import type { BandScene } from './band.ts'
import type { CanvasColours } from './canvas-colours.ts'
import { type SpanSource, fillSpan, spansOf } from './spans.ts'

/** Pixels between the diagonal lines of a gap. */
const hatchSpacing = 7
const patterns = new Map<string, CanvasPattern | string>()

/** A pattern of diagonal lines, cached by colour and pixel ratio; a plain colour if patterns aren't available. */
function hatching(ctx: CanvasRenderingContext2D, { gapLine, gap }: CanvasColours): CanvasPattern | string {
  const ratio = Math.max(1, Math.round(devicePixelRatio))
  const key = `${gapLine} ${ratio}`
  const cached = patterns.get(key)
  if (cached !== undefined) return cached
  const size = hatchSpacing * ratio
  const tile = new OffscreenCanvas(size, size)
  const pen = tile.getContext('2d')
  if (pen === null) return gap
  pen.strokeStyle = gapLine
  pen.globalAlpha = 0.6
  pen.lineWidth = ratio
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size)
    pen.lineTo(shift + size, 0)
  }
  pen.stroke()
  const pattern = ctx.createPattern(tile, 'repeat') ?? gap
  if (typeof pattern !== 'string') pattern.setTransform(new DOMMatrix().scale(1 / ratio))
  patterns.set(key, pattern)
  return pattern
}

/** The recorded days faintly, then what is loaded of them: gaps hatched, fragments and live plain. */
export function paintTrack(
  ctx: CanvasRenderingContext2D,
  scene: SpanSource & Pick<BandScene, 'covered' | 'colours'>,
  { top, height }: { readonly top: number; readonly height: number },
): void {
  const { period, width, covered, now, colours } = scene
  const x = (at: number) => Math.round(timeToX(period, width, at))
  const end = Math.min(width, x(now))
  ctx.fillStyle = colours.raised
  if (end > 0) ctx.fillRect(0, top, end, height)
  ctx.fillStyle = colours.recorded
  ctx.globalAlpha = 0.22
  for (const { from, to } of covered ?? [])
    fillSpan(ctx, { left: Math.max(0, x(from)), right: Math.min(end, x(to)) }, top, height)
  ctx.globalAlpha = 1
  const { known, fragment, live } = spansOf(scene)
  ctx.fillStyle = colours.panel
  for (const span of known) fillSpan(ctx, span, top, height)
  ctx.fillStyle = hatching(ctx, colours)
  for (const span of known) fillSpan(ctx, span, top, height)
  ctx.fillStyle = colours.recorded
  for (const span of fragment) fillSpan(ctx, span, top, height)
  ctx.fillStyle = colours.live
  for (const { left, right } of live) {
    const from = Math.min(left, right - 3)
    fillSpan(ctx, { left: from, right }, top, height)
    ctx.beginPath()
    ctx.arc((from + right) / 2, top - 5, 3, 0, 2 * Math.PI)
    ctx.fill()
  }
  ctx.fillStyle = colours.line
  ctx.fillRect(0, top - 1, width, 1)
  ctx.fillRect(0, top + height, width, 1)
}
