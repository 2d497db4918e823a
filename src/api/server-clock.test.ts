import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { call } from './call.ts'
import { noteServerDate, serverNow } from './server-clock.ts'

const at = Date.UTC(2026, 10, 21, 12)
const headersOf = (date: number | null, given: Record<string, string> = {}) =>
  new Headers({ ...given, ...(date === null ? {} : { date: new Date(date).toUTCString() }) })

vi.useFakeTimers({ now: at, toFake: ['Date'] })
afterEach(() => {
  noteServerDate(headersOf(at), at, at)
  vi.unstubAllGlobals()
})

const aheadAfter = (headers: Headers, { sentAt = at, receivedAt = at } = {}) => {
  noteServerDate(headers, sentAt, receivedAt)
  return (serverNow() - at) / 1000
}

test("the server's clock counts where the browser's differs by more than two seconds", () => {
  expect([
    aheadAfter(headersOf(null)),
    aheadAfter(headersOf(at + 2000)),
    aheadAfter(headersOf(at - 3000)),
    aheadAfter(headersOf(at - 60_000)),
    aheadAfter(headersOf(at - 59_000)),
    aheadAfter(headersOf(at + 60_000)),
    aheadAfter(headersOf(at)),
  ]).toEqual([0, 0, 0, -59.5, -59.5, 60.5, 0.5])
})

test('an answer that took long or is from a cache changes nothing', () => {
  expect([
    aheadAfter(headersOf(at - 20_000), { sentAt: at - 20_000 }),
    aheadAfter(headersOf(at - 60_000, { age: '60' })),
  ]).toEqual([0.5, 0.5])
})

test('calls note it, but not those to other hosts', async () => {
  vi.stubGlobal('location', new URL('https://host/ui/'))
  vi.stubGlobal('fetch', async () => Response.json({}, { headers: headersOf(at - 60_000) }))
  await call(z.object({}), { path: 'https://other/version' })
  const before = (serverNow() - at) / 1000
  await call(z.object({}), { path: '/v1/user' })
  expect([before, (serverNow() - at) / 1000]).toEqual([0.5, -59.5])
})
