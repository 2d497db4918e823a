import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerDate, serverNow } from './server-time.ts'

const at = Date.UTC(2026, 10, 21, 14, 5, 3, 500)

/** An answer of a server whose clock is ahead of this machine's, to a request that lasted as long. */
const answer = (aheadMs: number, lastedMs = 0) =>
  noteServerDate(new Headers({ date: new Date(at + aheadMs).toUTCString() }), { from: at - lastedMs, to: at })
const offset = () => serverNow() - at

beforeEach(() => void vi.useFakeTimers({ now: at, toFake: ['Date'] }))
afterEach(() => {
  answer(0)
  vi.useRealTimers()
})

test('a clock here that is wrong is corrected by the middle of the second of an answer and of its request', () => {
  answer(-600_000)
  expect(offset()).toBe(-600_000)
  answer(30_000, 1000)
  expect(offset()).toBe(30_500)
})

test('differences that whole seconds may cause, slow answers, and those without a date change nothing', () => {
  answer(1000)
  answer(60_000, 2001)
  for (const headers of [{}, { date: 'soon' }]) noteServerDate(new Headers(headers), { from: at, to: at })
  expect(offset()).toBe(0)
  answer(60_000)
  answer(61_000)
  expect(offset()).toBe(60_000)
})
