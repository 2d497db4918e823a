import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBusyRetry } from './busy-retry.ts'
import { noResponse, type Reply } from './reply.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const taken: Reply<string> = { ok: true, value: 'picture', retryAfterSeconds: null }
const busy = (retryAfterSeconds: number | null): Reply<string> => ({
  ok: false,
  apiError: { ...noResponse, status: 503, code: 'Unavailable', retryAfterSeconds },
})

/** A server that gives these answers in turn, and the last of them from then on; when it was asked, in seconds. */
function start(...answers: Reply<string>[]) {
  const begun = Date.now()
  const asked: number[] = []
  const retry = createBusyRetry(() => Date.now())
  const ask = async () => {
    asked.push((Date.now() - begun) / 1000)
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? taken
  }
  return { asked, ask: (signal = new AbortController().signal) => retry(ask, signal) }
}

describe('busy retry', () => {
  test('returns a success, and an error without retry-after, at once', async () => {
    const { asked, ask } = start(taken, busy(null))
    expect([await ask(), await ask(), asked]).toEqual([taken, busy(null), [0, 0]])
  })

  test('waits for retry-after, doubled each time, and starts over after a success', async () => {
    const { asked, ask } = start(busy(2), busy(2), busy(0), busy(60), taken, busy(2), taken)
    const first = ask()
    await vi.advanceTimersByTimeAsync(200_000)
    expect([await first, asked]).toEqual([taken, [0, 2, 6, 10, 70]])
    const second = ask()
    await vi.advanceTimersByTimeAsync(2000)
    expect([await second, asked.slice(5)]).toEqual([taken, [200, 202]])
  })

  test('other requests wait meanwhile', async () => {
    const { asked, ask } = start(busy(5), taken)
    const first = ask()
    await vi.advanceTimersByTimeAsync(1000)
    const second = ask()
    await vi.advanceTimersByTimeAsync(3999)
    expect(asked).toEqual([0])
    await vi.advanceTimersByTimeAsync(1)
    expect([await first, await second, asked]).toEqual([taken, taken, [0, 5, 5]])
  })

  test('refusals at the same time count as one', async () => {
    const { asked, ask } = start(busy(1), busy(1), busy(1), taken)
    const all = Promise.all([ask(), ask(), ask()])
    await vi.advanceTimersByTimeAsync(1000)
    expect([await all, asked]).toEqual([
      [taken, taken, taken],
      [0, 0, 0, 1, 1, 1],
    ])
  })

  test('an abort ends the wait and leaves no timer', async () => {
    const { asked, ask } = start(busy(5))
    const giving = new AbortController()
    const first = ask(giving.signal)
    first.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1000)
    giving.abort()
    await expect(first).rejects.toThrow('abort')
    expect([vi.getTimerCount(), asked]).toEqual([0, [0]])
    await expect(ask(giving.signal)).rejects.toThrow('abort')
  })
})
