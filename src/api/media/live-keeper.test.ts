// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { createLiveKeeper, type LivePicture } from './live-keeper.ts'

const flowing = 4
const dry = 2

/** A keeper beside a picture that is so many seconds behind, and the rates that it asks for. */
function keeping() {
  const rates: number[] = []
  const video = document.createElement('video')
  const state = { readyState: flowing, seeking: false, paused: false, currentTime: 0 }
  for (const name of ['readyState', 'seeking', 'paused', 'currentTime'] as const) Object.defineProperty(video, name, { get: () => state[name] })
  const engine: LivePicture['engine'] = Object.assign(Object.create(null), {
    liveAt: () => 0,
    isLowLatency: () => false,
    seekRange: () => ({ start: -60, end: 0 }),
    setRate: (rate: number) => void rates.push(rate),
  })
  const picture: LivePicture = Object.assign(Object.create(null), { video, engine, map: { from: 0, to: 0 }, rate: 1 })
  const keeper = createLiveKeeper(() => undefined)
  const look = (behind: number, readyState = flowing) => {
    Object.assign(state, { currentTime: -behind, readyState })
    keeper.look(picture)
  }
  return { look, rates, state, keeper }
}

test('live that is behind is caught up by rate', () => {
  const { look, rates } = keeping()
  for (const behind of [0.1, 1, 0.1]) look(behind)
  expect(rates).toEqual([1.05, 1])
})

test('live that ran dry is held farther behind, until another source', () => {
  const { look, rates, keeper } = keeping()
  for (let stall = 0; stall < 2; stall += 1) {
    look(0.1)
    look(0.1, dry)
  }
  look(1.4)
  expect(rates).toEqual([])
  keeper.restart()
  look(1.4)
  expect(rates).toEqual([1.07])
})

test('loading at first, and what a seek waits for, are no stall', () => {
  const { look, rates, state } = keeping()
  look(0.1, dry)
  look(0.1)
  state.seeking = true
  look(0.1, dry)
  state.seeking = false
  look(0.6)
  expect(rates).toEqual([1.03])
})
