import { firstEndingAfter } from '../../machines/timeline/intervals.ts'
import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import type { BandScene } from './band.ts'

type Span = { left: number; right: number }
/** `known`: the time whose intervals are loaded. */
export type Spans = Record<'known' | 'fragment' | 'live', Span[]>

export function fillSpan(ctx: CanvasRenderingContext2D, { left, right }: Span, top: number, height: number): void {
  if (right > left) ctx.fillRect(left, top, right - left, height)
}

export type SpanSource = Pick<BandScene, 'intervals' | 'period' | 'width' | 'now'>

/**
 * The loaded intervals of a period in whole pixels. A fragment is at least one pixel wide, a
 * gap shows only if a pixel is left for it. Touching spans are merged, so there are never more spans than pixels.
 */
export function spansOf({ intervals, period, width, now }: SpanSource): Spans {
  const spans: Spans = { known: [], fragment: [], live: [] }
  const add = (list: Span[], left: number, right: number) => {
    const last = list.at(-1)
    if (last !== undefined && left <= last.right) last.right = Math.max(last.right, right)
    else list.push({ left, right })
  }
  for (let index = firstEndingAfter(intervals, period.from); index < intervals.length; index += 1) {
    const interval = intervals[index]
    if (interval === undefined || interval.from >= period.to || (interval.type === 'gap' && interval.from >= now)) break
    const left = Math.max(0, Math.floor(timeToX(period, width, interval.from)))
    const right = Math.min(width, Math.max(left + 1, Math.round(timeToX(period, width, interval.to))))
    add(spans.known, left, right)
    if (interval.type !== 'gap') add(spans[interval.type], left, right)
  }
  return spans
}
