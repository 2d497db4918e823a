import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPreviews } from './previews.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function start() {
  const asked: { at: number; signal: AbortSignal }[] = []
  const loaded: [number, string | null][] = []
  let made = 0
  const revoked = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    made += 1
    return `blob:${made}`
  })
  const previews = createPreviews(
    async (at, signal) => {
      asked.push({ at, signal })
      return at < 0 ? null : new Blob(['picture'])
    },
    (key, address) => loaded.push([key, address]),
  )
  return { asked, loaded, previews, revoked }
}

test('a picture is asked for after the pointer has rested 150 ms, once, and kept', async () => {
  const { asked, loaded, previews } = start()
  expect(previews.want(1000, 1)).toBe(null)
  await vi.advanceTimersByTimeAsync(100)
  expect(previews.want(2000, 2)).toBe(null)
  expect(previews.want(2001, 2)).toBe(null)
  await vi.advanceTimersByTimeAsync(149)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(asked.map(({ at }) => at)).toEqual([2000])
  expect(loaded).toEqual([[2, 'blob:1']])
  expect(previews.want(2000, 2)).toBe('blob:1')
})

test('a request that is no longer wanted is dropped', async () => {
  const { asked, previews } = start()
  previews.want(1000, 1)
  await vi.advanceTimersByTimeAsync(150)
  previews.rest()
  expect(asked[0]?.signal.aborted).toBe(true)
})

test('sixty pictures are kept, and all are let go in the end', async () => {
  const { loaded, previews, revoked } = start()
  for (let key = 0; key < 61; key += 1) {
    previews.want(key * 1000, key)
    await vi.advanceTimersByTimeAsync(150)
  }
  expect(loaded.length).toBe(61)
  expect(revoked.mock.calls).toEqual([['blob:1']])
  expect(previews.want(0, 0)).toBe(null)
  previews.stop()
  expect(revoked.mock.calls.length).toBe(61)
})

test('where there is no picture, that is kept too', async () => {
  const { asked, loaded, previews } = start()
  previews.want(-1, 9)
  await vi.advanceTimersByTimeAsync(150)
  expect([loaded, previews.want(-1, 9)]).toEqual([[[9, null]], null])
  await vi.advanceTimersByTimeAsync(150)
  expect(asked.length).toBe(1)
})
