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
  const map = { from: 0, to: 0, toUtc: (media: number) => media * 1000 }
  const picture: { -readonly [Part in keyof LivePicture]: LivePicture[Part] } = Object.assign(Object.create(null), { video, engine, map, rate: 1 })
  const told: string[] = []
  const keeper = createLiveKeeper(({ type }) => void told.push(type))
  const look = (behind: number, readyState = flowing) => {
    Object.assign(state, { currentTime: -behind, readyState })
    keeper.look(picture)
  }
  return { look, rates, state, keeper, picture, map, told }
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

test('playing faster has caught up where it runs dry near the end of what there is, however late that is', () => {
  const { look, picture, map, told } = keeping()
  picture.rate = 2
  const caughtUp = () => told.includes('engine.edgeReached')
  look(8)
  look(8, dry)
  const farFromTheEnd = caughtUp()
  map.to = -6000
  look(8)
  const flowingOn = caughtUp()
  look(8, dry)
  expect([farFromTheEnd, flowingOn, caughtUp()]).toEqual([false, false, true])
})
