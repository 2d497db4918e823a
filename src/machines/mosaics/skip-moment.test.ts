import { expect, test } from 'vitest'
import { skipMoment } from './skip-moment.ts'

const gate = [
  { type: 'gap', from: -100, to: 0 },
  { type: 'fragment', from: 0, to: 100 },
  { type: 'gap', from: 100, to: 200 },
  { type: 'fragment', from: 200, to: 300 },
] as const
const yard = [
  { type: 'gap', from: -100, to: 50 },
  { type: 'fragment', from: 50, to: 150 },
  { type: 'gap', from: 150, to: 250 },
  { type: 'fragment', from: 250, to: 300 },
] as const

test('the nearest fragment of any camera is next or previous', () => {
  const skipped = [0, 60, 160, 200, 220, 260].map((at) => [
    skipMoment([gate, yard], at, -1),
    skipMoment([gate, yard], at, 1),
  ])
  expect(skipped).toEqual([
    [null, 50],
    [null, 200],
    [50, 200],
    [50, 250],
    [50, 250],
    [50, null],
  ])
})

test('cameras without known recordings have none, nor have those whose start is not known', () => {
  const cut = [{ type: 'fragment', from: 0, to: 100 }] as const
  expect([skipMoment([], 60, 1), skipMoment([[], gate], 60, 1), skipMoment([cut], 150, -1)]).toEqual([null, 200, null])
})
