import { afterEach, expect, test, vi } from 'vitest'
import { setBaseUrl } from '../call.ts'
import { searchMotion } from './motion.ts'

afterEach(() => {
  setBaseUrl('')
  vi.restoreAllMocks()
})

test('a search names the area in fractions of the picture', async () => {
  const urls: string[] = []
  setBaseUrl('https://vms.example')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (target) => {
    urls.push(decodeURIComponent(String(target)))
    const body = { searchedUntil: '2026-11-21T09:00:00.000Z' }
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  })
  const from = Date.UTC(2026, 10, 21, 8)
  const query = { uid: 'a b', from, to: from + 3_600_000, area: { x: 1 / 3, y: 0, w: 0.5, h: 1 }, sensitivity: 70 }
  const reply = await searchMotion(query, new AbortController().signal)
  expect(reply).toMatchObject({ ok: true, value: { items: [], searchedUntil: from + 3_600_000 } })
  expect(urls[0]).toContain(
    '/v1/stream/a b/archive/motion?from=2026-11-21T08:00:00.000Z&to=2026-11-21T09:00:00.000Z&area=0.3333,0,0.5,1&sensitivity=70',
  )
})
