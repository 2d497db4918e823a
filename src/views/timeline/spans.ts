import { firstEndingAfter, type Interval } from '../../machines/timeline/intervals.ts'
import { timeToX, xToTime } from '../../machines/timeline/timeline-geometry.ts'
import type { BandScene } from './band.ts'

type Span = { left: number; right: number }
/** `known`: the time whose intervals are loaded. */
export type Spans = Record<'known' | 'fragment' | 'live', Span[]>

export function fillSpan(ctx: CanvasRenderingContext2D, { left, right }: Span, top: number, height: number): void {
  if (right > left) ctx.fillRect(left, top, right - left, height)
}

export type SpanSource = Pick<BandScene, 'intervals' | 'period' | 'width' | 'now'>

/** The index of the first interval after `index` that isn't within a pixel that ends at a time; live always counts. */
function firstBeyond(intervals: readonly Interval[], index: number, pixelEnd: number): number {
  const endOf = (each: number) => intervals[each]?.to ?? Number.POSITIVE_INFINITY
  const next = index + 1
  if (endOf(next) > pixelEnd) return next
  let step = 1
  while (endOf(next + step) <= pixelEnd) step *= 2
  const beyond = firstEndingAfter(intervals, pixelEnd, next, Math.min(next + step, intervals.length))
  return intervals[beyond - 1]?.type === 'live' ? beyond - 1 : beyond
}

/**
 * The loaded intervals of a period in whole pixels. A fragment is at least one pixel wide, a
 * gap shows only if a pixel is left for it. Touching spans are merged, so there are never more spans than pixels, and
 * of the intervals within a pixel no more are read than fill it.
 */
export function spansOf({ intervals, period, width, now }: SpanSource): Spans {
  const spans: Spans = { known: [], fragment: [], live: [] }
  const add = (list: Span[], left: number, right: number) => {
    const last = list.at(-1)
    if (last !== undefined && left <= last.right) last.right = Math.max(last.right, right)
    else list.push({ left, right })
  }
  let index = firstEndingAfter(intervals, period.from)
  while (index < intervals.length) {
    const interval = intervals[index]
    if (interval === undefined || interval.from >= period.to || (interval.type === 'gap' && interval.from >= now)) break
    const left = Math.max(0, Math.floor(timeToX(period, width, interval.from)))
    const right = Math.min(width, Math.max(left + 1, Math.round(timeToX(period, width, interval.to))))
    add(spans.known, left, right)
    if (interval.type !== 'gap') add(spans[interval.type], left, right)
    const isPixelFull = interval.type === 'fragment' && right === left + 1
    index = isPixelFull ? firstBeyond(intervals, index, xToTime(period, width, right)) : index + 1
  }
  return spans
}
