import { expect, test } from 'vitest'
import { createProgressWatch, type PlaybackReading } from './progress.ts'

const playing: PlaybackReading = {
  time: 0,
  playhead: 1,
  areFramesDue: true,
  isSeeking: false,
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
