import { afterEach, expect, test, vi } from 'vitest'
import { measureRange } from './measure.ts'

afterEach(() => vi.unstubAllGlobals())

const hour = 3_600_000
const now = Date.UTC(2026, 10, 21, 12)
const iso = (at: number) => new Date(at).toISOString()

/** A server with recordings of one period; returns the names of the calls. */
function recordedIn(recorded: { from: number; to: number } | null): string[] {
  const calls: string[] = []
  const period = recorded === null ? null : { startTime: iso(recorded.from), endTime: iso(recorded.to) }
  vi.stubGlobal('location', new URL('https://host/ui/'))
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url)
    const name = pathname.split('/').at(-1) ?? ''
    calls.push(name)
    const [startTime, endTime] = [searchParams.get('start_time'), searchParams.get('end_time')]
    return Response.json(
      name === 'stats' ? { period } : { period: { startTime, endTime }, ranges: [{ date: startTime, status: 1 }] },
    )
  })
  return calls
}

const measureFor = (from: number, to: number) =>
  measureRange({ uid: 'gate', from, to, chunkMs: 3 * hour }, new AbortController().signal)

test('marks of thousands of years take only the requests for what is recorded', async () => {
  const calls = recordedIn({ from: now - 8 * hour, to: now })
  const [from, to] = [Date.UTC(1000, 0), Date.UTC(9000, 0)]
  const measured = await measureFor(from, to)
  expect([calls, measured]).toEqual([
    ['stats', 'ranges', 'ranges', 'ranges'],
    { ok: true, value: { recordedMs: 8 * hour, gaps: 2, gapMs: to - from - 8 * hour }, retryAfterSeconds: null },
  ])
})

test('where nothing is recorded no ranges are requested', async () => {
  const calls = recordedIn(null)
  const measured = await measureFor(now - 100 * hour, now)
  expect([calls, measured]).toMatchObject([['stats'], { value: { recordedMs: 0, gaps: 1, gapMs: 100 * hour } }])
})

test('a short range is measured at once', async () => {
  const calls = recordedIn(null)
  expect(await measureFor(now - 6 * hour, now)).toMatchObject({ value: { recordedMs: 6 * hour, gaps: 0 } })
  expect(calls).toEqual(['ranges', 'ranges'])
})

test('more than a year of recordings is too long', async () => {
  const calls = recordedIn({ from: Date.UTC(2020, 0), to: now })
  const measured = await measureFor(Date.UTC(2000, 0), now)
  expect([calls, measured]).toMatchObject([['stats'], { apiError: { code: 'TimeRangeIsTooLong' } }])
})
