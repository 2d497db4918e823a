import type { Page } from 'playwright'

const dayMs = 86_400_000
const days = 30
const fragments = 20_000
const annotations = 5000
/** The recorded fraction of each step. */
const recordedFraction = 0.8
const annotationMs = 20_000

/**
 * Answers requests of a stream with thirty days, 20,000 fragments and 5,000 annotations in the browser: no server has
 * them.
 */
export async function giveLongArchive(page: Page, now: number): Promise<{ from: number; to: number }> {
  const period = { from: now - days * dayMs, to: now }
  const [step, annotationStep] = [(days * dayMs) / fragments, (days * dayMs) / annotations]
  const instant = (at: number) => new Date(at).toISOString()
  const rangeOf = (url: string, from: string, to: string) => {
    const query = new URL(url).searchParams
    return { from: Date.parse(query.get(from) ?? ''), to: Date.parse(query.get(to) ?? '') }
  }

  await page.route(/\/archive\/ranges\?/, (route) => {
    const { from, to } = rangeOf(route.request().url(), 'start_time', 'end_time')
    const ranges = [{ date: instant(from), status: 0 }]
    for (
      let index = Math.floor((from - period.from) / step);
      period.from + index * step < Math.min(to, period.to);
      index += 1
    ) {
      const start = period.from + index * step
      const isInside = index >= 0 && start + step * recordedFraction > from
      if (isInside)
        ranges.push(
          { date: instant(Math.max(from, start)), status: 1 },
          { date: instant(Math.max(from, start + step * recordedFraction)), status: 0 },
        )
    }
    const listed = ranges.filter(({ date }, index) => date < instant(to) && date !== ranges[index + 1]?.date)
    return route.fulfill({ json: { period: { startTime: instant(from), endTime: instant(to) }, ranges: listed } })
  })
  await page.route(/\/v1\/annotations\?/, (route) => {
    const { from, to } = rangeOf(route.request().url(), 'from', 'to')
    const first = Math.max(0, Math.floor((from - annotationMs - period.from) / annotationStep))
    const items = []
    for (let index = first; period.from + index * annotationStep < Math.min(to, period.to); index += 1) {
      const at = period.from + index * annotationStep
      items.push({
        type: index % 3 === 0 ? 'motion' : 'event',
        time: instant(at),
        ...(index % 2 === 0 ? { timeEnd: instant(at + annotationMs) } : {}),
      })
    }
    return route.fulfill({ json: { items } })
  })
  await page.route(/\/archive\/stats/, (route) =>
    route.fulfill({ json: { period: { startTime: instant(period.from), endTime: instant(period.to) } } }),
  )
  await page.route(/\/archive\/available-days/, (route) => {
    const list = Array.from({ length: days + 1 }, (_, index) => instant(period.from + index * dayMs).slice(0, 10))
    return route.fulfill({ json: { days: list } })
  })
  return period
}
