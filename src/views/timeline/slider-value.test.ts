import { expect, test } from 'vitest'
import { sliderValue } from './slider-value.ts'

function start() {
  const values: number[] = []
  const write = sliderValue({
    setAttribute: (name, value) => {
      if (name === 'aria-valuenow') values.push(Number(value))
    },
  })
  const frames = (at: number, count = 1) => {
    for (let frame = 0; frame < count; frame += 1) write({ from: 0, to: 100_000 }, at)
  }
  return { values, frames }
}

test('while the moment moves, it is written four times a second', () => {
  const { values, frames } = start()
  for (let at = 1000; at <= 2000; at += 20) frames(at)
  expect(values).toEqual([1, 1.26, 1.52, 1.78])
})

test('once it rests, it is written exactly, and once', () => {
  const { values, frames } = start()
  frames(1000)
  frames(1040, 60)
  frames(1080, 60)
  expect(values).toEqual([1, 1.04, 1.08])
})
