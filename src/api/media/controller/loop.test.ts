import { describe, expect, test } from 'vitest'
import { createLoopWatch, loopTurn } from './loop.ts'

const loop = { from: 10_000, to: 20_000 }
const loaded = { from: 0, to: 60_000 }

describe('where a loop turns', () => {
  test('the frame that reaches its end goes back, not the one before', () => {
    const turns = [19_960, 20_000, 20_040].map((at) => loopTurn(loop, { at, loaded, hasEnded: false }))
    expect(turns).toEqual(['none', 'back', 'back'])
  })

  test('the last frame of what is loaded begins before the end', () => {
    const whole = { from: 10_000, to: 60_000 }
    const turns = [false, true].map((hasEnded) => loopTurn(whole, { at: 59_960, loaded, hasEnded }))
    expect(turns).toEqual(['none', 'back'])
  })

  test('an end far before that of the loop is no turn', () => {
    expect(loopTurn({ from: 10_000, to: 90_000 }, { at: 59_960, loaded, hasEnded: true })).toBe('none')
  })

  test('a start that is not loaded is reported', () => {
    expect(loopTurn(loop, { at: 20_000, loaded: { from: 15_000, to: 60_000 }, hasEnded: false })).toBe('away')
  })
})

describe('a watched loop', () => {
  test('turns once until the picture has moved', () => {
    const watch = createLoopWatch()
    watch.set(loop)
    const seen = [
      [20, 20_000],
      [20, 20_000],
      [20.04, 20_040],
      [10, 10_000],
      [20, 20_000],
    ] as const
    const turns = seen.map(([frame, at]) => watch.update({ frame, at, loaded, hasEnded: false }))
    expect(turns).toEqual([
      { turn: 'back', from: 10_000 },
      { turn: 'none', from: 10_000 },
      { turn: 'none', from: 10_000 },
      { turn: 'none', from: 10_000 },
      { turn: 'back', from: 10_000 },
    ])
  })

  test('set anew it turns anew, and without one nothing turns', () => {
    const watch = createLoopWatch()
    const update = () => watch.update({ frame: 20, at: 20_000, loaded, hasEnded: false }).turn
    const turns = [update()]
    watch.set(loop)
    turns.push(update(), update())
    watch.set(loop)
    turns.push(update())
    expect(turns).toEqual(['none', 'back', 'none', 'back'])
  })
})
