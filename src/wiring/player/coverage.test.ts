import { afterEach, expect, test, vi } from 'vitest'
import { loadCoverage } from './coverage.ts'

afterEach(() => vi.unstubAllGlobals())

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** The reply after the answers to `stats` and `available-days`, and the queries of the latter. */
async function replyOf(stats: Response, days: Response) {
  const queries: URLSearchParams[] = []
  vi.stubGlobal('location', new URL('https://host/ui/'))
  vi.stubGlobal('fetch', async (request: Request | string) => {
    const { pathname, searchParams } = new URL(typeof request === 'string' ? request : request.url, 'https://host')
    if (pathname.endsWith('/stats')) return stats
    queries.push(searchParams)
    return days
  })
  const reply = await loadCoverage({ streamId: 'gate', zone: 'UTC' }, new AbortController().signal)
  return { reply, queries }
}

const period = { startTime: '2026-11-01T08:00:00Z', endTime: '2026-11-21T12:00:00Z' }
const recorded = { from: Date.UTC(2026, 10, 1, 8), to: Date.UTC(2026, 10, 21, 12) }

test('the start of the archive is kept while the days are refused', async () => {
  const { reply } = await replyOf(json(200, { period }), json(503, { code: 'Unavailable' }))
  expect(reply).toMatchObject({ ok: false, recorded, apiError: { status: 503, code: 'Unavailable' } })
})

test.each([
  ['{}', json(200, {})],
  ['null', json(200, { period: null })],
  ['404', json(404, { code: 'NotFound' })],
])('where the statistics of the archive are %s, the days of the last year are requested', async (_, stats) => {
  const { reply, queries } = await replyOf(stats, json(200, { days: ['2026-11-08'] }))
  expect(reply).toMatchObject({ ok: true, value: { recorded: null, days: ['2026-11-08'] } })
  const [from = 0, to = 0] = [...(queries[0]?.values() ?? [])].map((value) => Date.parse(value)).filter(Number.isFinite)
  expect((to - from) / 86_400_000).toBeCloseTo(366, 3)
})

test('a server that knows neither the extent nor days has no recordings', async () => {
  const { reply } = await replyOf(json(200, { period: null }), json(404, { code: 'NotFound' }))
  expect(reply).toMatchObject({ ok: true, value: { recorded: null, days: [] } })
})
