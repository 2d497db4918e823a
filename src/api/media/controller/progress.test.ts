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
}

function watchAt(times: readonly number[], change: Partial<PlaybackReading> = {}, failure: 'server' | null = null) {
  const watch = createProgressWatch()
  watch.restart(0)
  watch.update({ ...playing, ...change })
  watch.noteFailure(failure)
  return times.map((time) => watch.update({ ...playing, ...change, time }))
}

test('a playhead that does not move is a stall, and after 8 s a failure', () => {
  expect(watchAt([300, 500, 8001])).toEqual(['fine', 'stalled', { failure: 'stalled' }])
})

test('with a known reason it fails after 4 s with that reason', () => {
  expect(watchAt([3900, 4001], {}, 'server')).toEqual(['stalled', { failure: 'server' }])
})

test('a seek is not a stall but fails in the end', () => {
  expect(watchAt([500, 8001], { isSeeking: true })).toEqual(['fine', { failure: 'stalled' }])
})

test('in live, a seek to where there is no frame is no progress, and a stall', () => {
  const watch = createProgressWatch()
  watch.restart(0)
  const live = { ...playing, isLive: true }
  const moving = (time: number, playhead: number, isThere = false) =>
    watch.update({ ...live, time, playhead, hasFrame: isThere, isSeeking: !isThere })
  expect([moving(0, 1, true), moving(300, 1), moving(600, 5), moving(4000, 9), moving(8001, 13)]).toEqual([
    'fine',
    'fine',
    'stalled',
    'stalled',
    { failure: 'stalled' },
  ])
  expect(moving(8200, 13, true)).toBe('fine')
})

test('a live picture that loads has the whole time from its first position', () => {
  const loading = { isLive: true, hasFrame: false, isLoaded: false }
  const watch = createProgressWatch()
  watch.restart(0)
  const verdicts = [1000, 8500, 9001].map((time) => watch.update({ ...playing, ...loading, time }))
  expect(verdicts).toEqual(['fine', 'fine', { failure: 'stalled' }])
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
