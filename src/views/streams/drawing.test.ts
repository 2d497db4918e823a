import { describe, expect, it } from 'vitest'
import { type Drawn, isComplete, nothing, withMore } from './drawing.ts'

const entries = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

function drawnAll(wanted: readonly number[], from: Drawn = nothing): Drawn[] {
  const frames: Drawn[] = []
  for (let drawn = from; !isComplete(wanted, drawn); frames.push(drawn)) drawn = withMore(drawn, wanted)
  return frames
}

describe('drawing the list frame by frame', () => {
  it('draws the first streams first and their actions last', () => {
    const frames = drawnAll(entries(10, 15))
    expect(frames.map(({ streams, actions }) => [[...streams], [...actions]])).toEqual([
      [[10, 11], []],
      [[10, 11, 12, 13], []],
      [[10, 11, 12, 13, 14], []],
      [
        [10, 11, 12, 13, 14],
        [10, 11, 12, 13],
      ],
      [
        [10, 11, 12, 13, 14],
        [10, 11, 12, 13, 14],
      ],
    ])
  })

  it('keeps what stays in sight, and leaves what does not', () => {
    const whole = drawnAll(entries(0, 6)).at(-1) ?? nothing
    const { streams, actions } = withMore(whole, entries(4, 10))
    expect([...streams]).toEqual([4, 5, 6, 7])
    expect([...actions].filter((entry) => streams.has(entry))).toEqual([4, 5])
  })

  it('is complete where nothing is wanted', () => {
    expect(isComplete([], nothing)).toBe(true)
  })
})
