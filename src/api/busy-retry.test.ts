import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBusyRetry } from './busy-retry.ts'
import { noResponse, type Reply } from './reply.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const success: Reply<string> = { ok: true, value: 'picture', retryAfterSeconds: null }
const busy = (retryAfterSeconds: number | null): Reply<string> => ({
  ok: false,
  apiError: { ...noResponse, status: 503, code: 'Unavailable', retryAfterSeconds },
})

/** A server that gives these answers one after another, then the last one; `askedAt`: when it was asked, in seconds. */
function start(...answers: Reply<string>[]) {
  const startedAt = Date.now()
  const askedAt: number[] = []
  const retry = createBusyRetry(() => Date.now())
  const ask = async () => {
    askedAt.push((Date.now() - startedAt) / 1000)
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? success
  }
  return { askedAt, ask: (signal = new AbortController().signal) => retry(ask, signal) }
}

describe('busy retry', () => {
  test('returns a success, and an error without retry-after, at once', async () => {
    const { askedAt, ask } = start(success, busy(null))
    expect([await ask(), await ask(), askedAt]).toEqual([success, busy(null), [0, 0]])
  })

  test('waits for retry-after, doubled each time, and starts over after a success', async () => {
    const { askedAt, ask } = start(busy(2), busy(2), busy(0), busy(60), success, busy(2), success)
    const first = ask()
    await vi.advanceTimersByTimeAsync(200_000)
    expect([await first, askedAt]).toEqual([success, [0, 2, 6, 10, 70]])
    const second = ask()
    await vi.advanceTimersByTimeAsync(2000)
    expect([await second, askedAt.slice(5)]).toEqual([success, [200, 202]])
  })

  test('other requests wait meanwhile', async () => {
    const { askedAt, ask } = start(busy(5), success)
    const first = ask()
    await vi.advanceTimersByTimeAsync(1000)
    const second = ask()
    await vi.advanceTimersByTimeAsync(3999)
    expect(askedAt).toEqual([0])
    await vi.advanceTimersByTimeAsync(1)
    expect([await first, await second, askedAt]).toEqual([success, success, [0, 5, 5]])
  })

  test('refusals at the same time count as one', async () => {
    const { askedAt, ask } = start(busy(1), busy(1), busy(1), success)
    const all = Promise.all([ask(), ask(), ask()])
    await vi.advanceTimersByTimeAsync(1000)
    expect([await all, askedAt]).toEqual([
      [success, success, success],
      [0, 0, 0, 1, 1, 1],
    ])
  })

  test('an abort ends the wait and leaves no timer', async () => {
    const { askedAt, ask } = start(busy(5))
    const aborting = new AbortController()
    const first = ask(aborting.signal)
    first.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1000)
    aborting.abort()
    await expect(first).rejects.toThrow('abort')
    expect([vi.getTimerCount(), askedAt]).toEqual([0, [0]])
    await expect(ask(aborting.signal)).rejects.toThrow('abort')
  })
})
