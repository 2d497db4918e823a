import { firstAfter, longestOf } from '../../machines/timeline/annotations.ts'
import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { type BandScene, band } from './band.ts'
import { fillSpan } from './spans.ts'

/** Annotations closer than this, in pixels, are drawn as one. */
const annotationSpacing = 5

/** Events are filled triangles, other annotations hollow squares; a bar shows their duration. */
export function paintAnnotations(
  ctx: CanvasRenderingContext2D,
  { period, width, annotations, colours }: BandScene,
): void {
  const { top, height } = band.annotations
  const middle = top + height / 2
  const events: number[] = []
  const others: number[] = []
  for (
    let index = firstAfter(annotations, period.from - longestOf(annotations) - 1);
    index < annotations.length;
    index += 1
  ) {
    const annotation = annotations[index]
    if (annotation === undefined || annotation.from > period.to) break
    if (annotation.to < period.from) continue
    const left = Math.round(timeToX(period, width, annotation.from))
    const right = Math.round(timeToX(period, width, annotation.to))
    if (right - left > 2) {
      ctx.fillStyle = annotation.isEvent ? colours.event : colours.annotation
      const span = { left: Math.max(0, left), right: Math.min(width, right) }
      fillSpan(ctx, span, middle - (annotation.isEvent ? 2 : 1), annotation.isEvent ? 3 : 1)
    }
    const list = annotation.isEvent ? events : others
    if (left >= (list.at(-1) ?? Number.NEGATIVE_INFINITY) + annotationSpacing) list.push(left)
  }
  ctx.fillStyle = colours.event
  ctx.beginPath()
  for (const x of events) {
    ctx.moveTo(x - 4, top + 1)
    ctx.lineTo(x + 4, top + 1)
    ctx.lineTo(x, top + height - 2)
  }
  ctx.fill()
  ctx.fillStyle = colours.annotation
  for (const x of others) {
    ctx.fillRect(x - 3, middle - 4, 7, 1.5)
    ctx.fillRect(x - 3, middle + 1.5, 7, 1.5)
    ctx.fillRect(x - 3, middle - 4, 1.5, 7)
    ctx.fillRect(x + 2.5, middle - 4, 1.5, 7)
  }
}
