import type { TimeRange } from '../../api/contract/time-range.ts'

/** What the charts show: the last hours up to now, or a fixed range. */
export type StatsSpan = { kind: 'last'; hours: number } | ({ kind: 'between' } & TimeRange)

/** `node`: the id of the node that measured the series; '' without a cluster. */
export type StatsQuery = StatsSpan & { node: string }

const minuteMs = 60_000
const hourMs = 3_600_000
export const minLengthMs = 5 * minuteMs
export const maxLengthMs = 168 * hourMs
const defaultSpan: StatsSpan = { kind: 'last', hours: 6 }

export const zoomStep = 1.5
/** The part of the range by which it moves earlier or later, as on the timeline. */
export const moveShare = 0.25

/** Reads the span from the query of the address; without one it is the last six hours. */
export function spanOf(search: string): StatsSpan {
  const query = new URLSearchParams(search)
  const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')]
  if (to - from >= minuteMs) return { kind: 'between', from, to }
  const hours = Number(query.get('hours'))
  return hours > 0 && hours <= maxLengthMs / hourMs ? { kind: 'last', hours } : defaultSpan
}

/** The node in the query of the address; '' if there is none. */
export const nodeOf = (search: string): string => new URLSearchParams(search).get('node') ?? ''

export function searchOf({ node, ...span }: StatsQuery): string {
  const query =
    span.kind === 'last'
      ? { hours: String(span.hours) }
      : { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() }
  return `?${new URLSearchParams({ ...query, ...(node === '' ? {} : { node }) }).toString()}`
}

export const rangeOf = (span: StatsSpan, now: number): TimeRange =>
  span.kind === 'last' ? { from: now - span.hours * hourMs, to: now } : { from: span.from, to: span.to }

/** The range in whole seconds, changed to be from five minutes to a week long and to end at `latest` or before. */
function fitted({ from, to }: TimeRange, latest: number): StatsSpan {
  const length = Math.min(maxLengthMs, Math.max(minLengthMs, to - from))
  const middle = (from + to) / 2
  const end = Math.min(latest, middle + length / 2)
  const second = (at: number) => Math.round(at / 1000) * 1000
  return { kind: 'between', from: second(end - length), to: second(end) }
}

/** The range `factor` times as long; `at` keeps its position in the chart. */
export const zoomed = ({ from, to }: TimeRange, factor: number, at: number, latest: number): StatsSpan =>
  fitted({ from: at - (at - from) * factor, to: at + (to - at) * factor }, latest)

/** Shifted by a share of its length, later if positive. */
export const moved = ({ from, to }: TimeRange, share: number, latest: number): StatsSpan =>
  fitted({ from: from + (to - from) * share, to: to + (to - from) * share }, latest)

/** The range between two moments in either order, as a drag selects it. */
export const spanBetween = (one: number, other: number, latest: number): StatsSpan =>
  fitted({ from: Math.min(one, other), to: Math.max(one, other) }, latest)

export const canZoomIn = ({ from, to }: TimeRange): boolean => to - from > minLengthMs
export const canZoomOut = ({ from, to }: TimeRange): boolean => to - from < maxLengthMs

const tickStepsMs = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880].map((minutes) => minutes * minuteMs)
/** Of a range that no control reaches. */
const maxTicks = 1000
/** The offsets of time zones are multiples of this. */
const quarterMs = 15 * minuteMs

/**
 * Moments of a range that are round in local time, about `count` of them; `offsetMsAt`: the viewer's offset from UTC at
 * a moment, positive in the east.
 */
export function ticksOf({ from, to }: TimeRange, count: number, offsetMsAt: (at: number) => number): number[] {
  const step = tickStepsMs.find((one) => (to - from) / one <= count) ?? 7 * 24 * hourMs
  // Only an address has so long a range: its ticks may be off by an hour after a change of the clocks.
  if (to - from > 52 * maxLengthMs) return evenTicks({ from, to }, step, offsetMsAt(from))
  const grid = step < quarterMs ? minuteMs : quarterMs
  const first = Math.ceil(from / grid) * grid
  const moments = Array.from(
    { length: Math.max(0, Math.floor((to - first) / grid) + 1) },
    (_, index) => first + index * grid,
  )
  return (
    moments
      .filter((at) => (at + offsetMsAt(at)) % step === 0)
      // Where the clocks go back, a local time comes twice.
      .filter((at, index, all) => step <= hourMs || at - (all[index - 1] ?? -Infinity) > hourMs)
  )
}

function evenTicks({ from, to }: TimeRange, step: number, offsetMs: number): number[] {
  const least = Math.max(step, Math.ceil((to - from) / maxTicks / step) * step)
  const first = Math.ceil((from + offsetMs) / least) * least - offsetMs
  return Array.from({ length: Math.max(0, Math.floor((to - first) / least) + 1) }, (_, index) => first + index * least)
}
