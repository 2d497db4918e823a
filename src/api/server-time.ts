import type { TimeRange } from './contract/time-range.ts'

/** The header has whole seconds, and a request takes time: smaller differences are no difference. */
const toleranceMs = 2000

/** How far the server's clock is ahead of this machine's, in milliseconds. */
const known = { offsetMs: 0 }

/** Reads the server's clock from the `Date` of an answer; its request lasted from `from` to `to` by this machine's. */
export function noteServerDate(headers: Pick<Headers, 'get'>, { from, to }: TimeRange): void {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date) || to - from > toleranceMs) return
  const offsetMs = date + 500 - (from + to) / 2
  if (Math.abs(offsetMs - known.offsetMs) > toleranceMs) known.offsetMs = offsetMs
}

/** Epoch milliseconds now, by the server's clock as far as it is known. */
export const serverNow = (): number => Date.now() + known.offsetMs
