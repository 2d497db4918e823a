import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextEvent, pause } from './pause.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('backward playback, which pauses and seeks for hours with one signal, leaves no listeners on it', async () => {
  const { signal } = new AbortController()
  const video = new EventTarget()
  const waits = [pause(20, signal), nextEvent(video, 'seeked', signal)]
  expect(getEventListeners(signal, 'abort').length).toBe(2)
  video.dispatchEvent(new Event('seeked'))
  vi.advanceTimersByTime(20)
  await Promise.all(waits)
  expect([...getEventListeners(signal, 'abort'), ...getEventListeners(video, 'seeked')]).toEqual([])
})

test('an abort ends both at once', async () => {
  const ending = new AbortController()
  const video = new EventTarget()
  const waits = [pause(60_000, ending.signal), nextEvent(video, 'seeked', ending.signal)]
  ending.abort()
  await Promise.all([...waits, pause(60_000, ending.signal), nextEvent(video, 'seeked', ending.signal)])
  expect([vi.getTimerCount(), getEventListeners(video, 'seeked')]).toEqual([0, []])
})
