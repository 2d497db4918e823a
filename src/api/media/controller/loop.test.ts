import { describe, expect, test } from 'vitest'
import { createLoopWatch, loopAction } from './loop.ts'

const loop = { from: 10_000, to: 20_000 }
const loaded = { from: 0, to: 60_000 }

describe('what a loop does', () => {
  test('the frame that reaches its end leads to the start, not the one before', () => {
    const actions = [19_960, 20_000, 20_040].map((at) => loopAction(loop, { at, loaded, hasEnded: false }))
    expect(actions).toEqual(['none', 'seek', 'seek'])
  })

  test('the last loaded frame begins before the end', () => {
    const whole = { from: 10_000, to: 60_000 }
    const actions = [false, true].map((hasEnded) => loopAction(whole, { at: 59_960, loaded, hasEnded }))
    expect(actions).toEqual(['none', 'seek'])
  })

  test('a source that ends long before the loop does not repeat it', () => {
    expect(loopAction({ from: 10_000, to: 90_000 }, { at: 59_960, loaded, hasEnded: true })).toBe('none')
  })

  test('a start that is not loaded must be loaded', () => {
    expect(loopAction(loop, { at: 20_000, loaded: { from: 15_000, to: 60_000 }, hasEnded: false })).toBe('load')
  })
})

describe('a watched loop', () => {
  test('repeats once until the picture has moved back', () => {
    const watch = createLoopWatch()
    watch.set(loop)
    const seen = [
      [20, 20_000],
      [20, 20_000],
      [20.04, 20_040],
      [10, 10_000],
      [20, 20_000],
    ] as const
    const actions = seen.map(([frame, at]) => watch.update({ frame, at, loaded, hasEnded: false }))
    expect(actions).toEqual([
      { action: 'seek', from: 10_000 },
      { action: 'none', from: 10_000 },
      { action: 'none', from: 10_000 },
      { action: 'none', from: 10_000 },
      { action: 'seek', from: 10_000 },
    ])
  })

  test('a new loop repeats again, and no loop never does', () => {
    const watch = createLoopWatch()
    const update = () => watch.update({ frame: 20, at: 20_000, loaded, hasEnded: false }).action
    const actions = [update()]
    watch.set(loop)
    actions.push(update(), update())
    watch.set(loop)
    actions.push(update())
    expect(actions).toEqual(['none', 'seek', 'none', 'seek'])
  })
})
