import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { type AxisLabel, labelStep, labelsOf, tickStep, ticksOf } from '../../machines/timeline/timeline-labels.ts'
import { type BandScene, band } from './band.ts'

/** A label of the axis as drawn in one font. */
interface MeasuredText {
  text: string
  width: number
  isDayStart: boolean
  font: string
}

/** A cache that grows beyond this is emptied. */
const maxCachedTexts = 2000
const caches = new WeakMap<BandScene['labelText'], Map<number, MeasuredText>>()

/** Caches the texts and widths of labels by formatter, so that panning doesn't format and measure them again. */
function cacheOf(labelText: BandScene['labelText']): Map<number, MeasuredText> {
  const cache = caches.get(labelText) ?? new Map<number, MeasuredText>()
  caches.set(labelText, cache)
  return cache
}

export function paintAxis(
  ctx: CanvasRenderingContext2D,
  {
    period,
    width,
    offsets,
    colours,
    labelText,
  }: Pick<BandScene, 'period' | 'width' | 'offsets' | 'colours' | 'labelText'>,
): void {
  const plain = `500 11px ${colours.font}`
  const strong = `600 11px ${colours.font}`
  const cache = cacheOf(labelText)
  const measured = (label: AxisLabel): MeasuredText => {
    const cached = cache.get(label.at)
    if (cached?.isDayStart === label.isDayStart && cached.font === colours.font) return cached
    const text = labelText(label)
    ctx.font = label.isDayStart ? strong : plain
    const fresh = { text, width: ctx.measureText(text).width, isDayStart: label.isDayStart, font: colours.font }
    if (cache.size > maxCachedTexts) cache.clear()
    cache.set(label.at, fresh)
    return fresh
  }
  const labels = labelsOf(period, width, offsets, (label) => measured(label).width)
  ctx.fillStyle = colours.lineStrong
  ctx.globalAlpha = 0.5
  for (const at of ticksOf(period, offsets, tickStep(labelStep(period, width)))) {
    ctx.fillRect(Math.round(timeToX(period, width, at)), band.axis - 2, 1, 3)
  }
  ctx.globalAlpha = 1
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  for (const label of labels) {
    const x = Math.round(label.x)
    ctx.fillStyle = colours.lineStrong
    ctx.fillRect(x, label.isDayStart ? 0 : band.axis - 5, 1, label.isDayStart ? band.height : 6)
    if (label.width === 0) continue
    if (label.isDayStart) {
      ctx.fillStyle = colours.panel
      ctx.fillRect(label.centre - label.width / 2 - 3, 1, label.width + 6, 14)
    }
    ctx.font = label.isDayStart ? strong : plain
    ctx.fillStyle = label.isDayStart ? colours.text : colours.muted
    ctx.fillText(measured(label).text, label.centre, 8.5)
  }
}
