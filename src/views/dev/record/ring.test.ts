import { expect, test } from 'vitest'
import { Ring } from './ring.ts'

test.each([
  [0, []],
  [2, [0, 1]],
  [3, [0, 1, 2]],
  [7, [4, 5, 6]],
])('a ring of three keeps of %i things the last', (count, kept) => {
  const ring = new Ring<number>(3)
  for (let item = 0; item < count; item += 1) ring.push(item)
  expect(ring.items()).toEqual(kept)
  expect(ring.count).toBe(count)
  expect([ring.at(0), ring.at(count - 1)]).toEqual([count > 0 && count <= 3 ? 0 : undefined, kept.at(-1)])
})
