import { expect, test } from 'vitest'
import { createProgressWatch, type PlaybackReading } from './progress.ts'

const playing: PlaybackReading = {
  time: 0,
  playhead: 1,
  areFramesDue: true,
  isSeeking: false,
  isLive: false,
  hasFrame: true,
  isLoaded: true,
  hasPlaylist: true,
  segmentSeconds: 2,
}

/** Updates every quarter of a second, as the player does; returns the verdict at `to`. */
function until(watch: ReturnType<typeof createProgressWatch>, from: number, to: number, reading: PlaybackReading) {
  for (let time = from + 250; time < to; time += 250) watch.update({ ...reading, time })
  return watch.update({ ...reading, time: to })
}

function watchAt(times: readonly number[], change: Partial<PlaybackReading> = {}, failure: 'server' | null = null) {
  const watch = createProgressWatch()
  watch.restart(0)
  watch.update({ ...playing, ...change })
  watch.noteFailure(failure)
  return times.map((time, index) => until(watch, times[index - 1] ?? 0, time, { ...playing, ...change }))
}

test('a playhead that does not move is a stall, and after 8 s a failure', () => {
  expect(watchAt([300, 500, 8001])).toEqual(['fine', 'stalled', { failure: 'stalled' }])
})

test('a long segment has up to twice its length to arrive, and no more than 20 s', () => {
  expect(watchAt([19_900, 20_001], { segmentSeconds: 10 })).toEqual(['stalled', { failure: 'stalled' }])
  expect(watchAt([11_900, 12_001], { segmentSeconds: 6 })).toEqual(['stalled', { failure: 'stalled' }])
  expect(watchAt([19_900, 20_001], { segmentSeconds: 60 })).toEqual(['stalled', { failure: 'stalled' }])
})

test('with a known reason it fails after 4 s with that reason', () => {
  expect(watchAt([3900, 4001], {}, 'server')).toEqual(['stalled', { failure: 'server' }])
})

test('a seek is not a stall but fails in the end', () => {
  expect(watchAt([500, 8001], { isSeeking: true })).toEqual(['fine', { failure: 'stalled' }])
})

test('in live, one seek to where there is no frame is progress, those after it are a stall', () => {
  const watch = createProgressWatch()
  watch.restart(0)
  const seeking = (playhead: number) => ({ ...playing, isLive: true, playhead, hasFrame: false, isSeeking: true })
  watch.update({ ...playing, isLive: true })
  expect(until(watch, 0, 2000, seeking(1))).toBe('fine')
  expect(until(watch, 2000, 4000, seeking(5))).toBe('fine')
  expect(until(watch, 4000, 6000, seeking(9))).toBe('stalled')
  expect(until(watch, 6000, 10_251, seeking(13))).toEqual({ failure: 'stalled' })
  expect(until(watch, 10_251, 10_500, { ...seeking(13.1), hasFrame: true })).toBe('fine')
})

test('what a hidden page has not seen is not missing', () => {
  const watch = createProgressWatch()
  watch.restart(0)
  const verdicts = [0, 60_000, 60_250, 60_500].map((time) => watch.update({ ...playing, time }))
  expect(verdicts).toEqual(['fine', 'fine', 'fine', 'stalled'])
})

test('a live picture that loads has the whole time from its first position', () => {
  const loading = { isLive: true, hasFrame: false, isLoaded: false }
  const watch = createProgressWatch()
  watch.restart(0)
  watch.update({ ...playing, ...loading, time: 1000 })
  expect(until(watch, 1000, 8500, { ...playing, ...loading })).toBe('fine')
  expect(until(watch, 8500, 9001, { ...playing, ...loading })).toEqual({ failure: 'stalled' })
})

test('a pause never fails', () => {
  expect(watchAt([500, 60_000], { areFramesDue: false })).toEqual(['fine', 'fine'])
})

test('loading lasts as long as the engine tries to read a playlist, then 8 s', () => {
  const loading = { isLoaded: false, hasPlaylist: false }
  expect([watchAt([60_000], loading), watchAt([7999, 8001], { ...loading, hasPlaylist: true }, 'server')]).toEqual([
    ['fine'],
    ['fine', { failure: 'server' }],
  ])
})

test('new frames clear the failure', () => {
  const watch = createProgressWatch()
  watch.restart(0)
  watch.update(playing)
  watch.noteFailure('network')
  const before = watch.lastFailure()
  watch.update({ ...playing, time: 250, playhead: 1.2 })
  expect([before, watch.lastFailure()]).toEqual(['network', null])
})
