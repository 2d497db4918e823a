import { expect, test } from 'vitest'
import { sliderAria } from './slider-aria.ts'

test('the description is written again once what it describes is drawn, though the moment is the same', () => {
  const attributes = new Map<string, string>()
  let recorded = 0
  const update = sliderAria(
    { setAttribute: (name, value) => void attributes.set(name, value) },
    (at) => `${at}, ${recorded} of 2 recorded`,
  )
  const shown = { period: { from: 0, to: 60_000 }, now: 90_000 }
  const textAfter = (at: number, isDrawnAnew: boolean) => {
    update(shown, at, isDrawnAnew)
    return attributes.get('aria-valuetext')
  }
  const before = textAfter(1000, true)
  recorded = 2
  expect([before, textAfter(1000, false), textAfter(1000, true), textAfter(1250, false)]).toEqual([
    '1000, 0 of 2 recorded',
    '1000, 0 of 2 recorded',
    '1000, 2 of 2 recorded',
    '1250, 2 of 2 recorded',
  ])
})
