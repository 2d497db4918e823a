import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { playBackwards, reverseStep } from './reverse-steps.ts'

/** A keyframe each second, from 4 s. */
const keyframeAt = (moment: number) => (moment < 4 ? undefined : Math.floor(moment))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['the keyframe at the moment', 20, 20.4, { kind: 'show', media: 20 }],
  ['the keyframe before the moment', 19.96, 20.4, { kind: 'show', media: 19 }],
  ['no picture until the moment leaves the shown one', 20.25, 20, { kind: 'wait', seconds: 0.25 }],
  ['the picture that is due after a late one, not those between', 11.5, 20, { kind: 'show', media: 11 }],
  ['the first picture for any moment before it', 3, 6, { kind: 'show', media: 5.5 }],
  ['the first picture until its own moment', 5.75, 5.5, { kind: 'wait', seconds: 0.25 }],
  ['the end after the first picture', 5.4, 5.5, { kind: 'end' }],
])('shows %s', (_, target, shown, step) => {
  expect(reverseStep({ target, shown, keyframeAt, floor: 5.5 })).toEqual(step)
})

/** Plays backwards from 30 s, with seeks that take `seekMs`; `after`: milliseconds until a picture was shown. */
function playing(speed: number, seekMs: (media: number) => number, floor = 4) {
  const shown: { media: number; after: number }[] = []
  const reports: string[] = []
  const ending = new AbortController()
  const startedAt = performance.now()
  const played = playBackwards(
    {
      keyframeAt,
      floor,
      async show(media) {
        await new Promise((resolve) => {
          setTimeout(resolve, seekMs(media))
        })
        shown.push({ media, after: performance.now() - startedAt })
      },
      onStalled: () => void reports.push('stalled'),
      onShown: () => void reports.push('shown'),
      onEnd: () => void reports.push('end'),
    },
    { from: 30, speed },
    ending.signal,
  )
  return { shown, reports, ending, played }
}

test.each([1, 2, 4, 8, 16])('at %d× the picture stays within a keyframe and a seek of the clock', async (speed) => {
  const { shown, reports } = playing(speed, () => 60)
  await vi.advanceTimersByTimeAsync((20 / speed) * 1000)
  const errors = shown.map(({ media, after }) => 30 - (after / 1000) * speed - media)
  expect(Math.min(...errors)).toBeGreaterThan(-0.1 * speed)
  expect(Math.max(...errors)).toBeLessThan(1 + 0.1 * speed)
  expect(shown.map(({ media }) => media)).toEqual(shown.map(({ media }) => media).toSorted((a, b) => b - a))
  expect(reports).not.toContain('stalled')
})

test('a slow seek leaves pictures out, and the clock keeps its speed', async () => {
  const { shown } = playing(4, () => 300)
  await vi.advanceTimersByTimeAsync(4000)
  expect(shown.length).toBeLessThan(14)
  expect(Math.abs((shown.at(-1)?.media ?? 0) - (30 - 4 * 4))).toBeLessThan(2.5)
})

test('a seek that takes too long is reported as a stall, and the clock goes on from its picture', async () => {
  const { shown, reports } = playing(2, (media) => (media === 27 ? 5000 : 40))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reports.filter((report) => report === 'stalled')).toEqual(['stalled'])
  const stalled = shown.findIndex(({ media }) => media === 27)
  expect(shown.slice(stalled, stalled + 3).map(({ media }) => media)).toEqual([27, 26, 25])
})

test('ends once, after the first picture', async () => {
  const { shown, reports, played } = playing(16, () => 20, 24.5)
  await vi.advanceTimersByTimeAsync(2000)
  await played
  expect([shown.at(-1)?.media, reports.filter((report) => report === 'end')]).toEqual([24.5, ['end']])
})

test('an abort ends it without a report', async () => {
  const { ending, reports, shown, played } = playing(1, () => 20)
  await vi.advanceTimersByTimeAsync(1500)
  const before = [...reports]
  ending.abort()
  await played
  await vi.advanceTimersByTimeAsync(5000)
  expect([reports, shown.length, vi.getTimerCount()]).toEqual([before, before.length, 0])
})
