import { expect, test } from 'vitest'
import { createThrottle } from '../../../server/users/throttle.ts'

const hourMs = 3_600_000
const opened = () => {
  let now = hourMs
  const throttle = createThrottle(2, 30_000, () => now)
  return { throttle, move: (ms: number) => (now += ms) }
}

test('attempts come back one by one', () => {
  const { throttle, move } = opened()
  expect([throttle.take('a'), throttle.take('a'), throttle.take('a')]).toEqual([undefined, undefined, 30])
  move(20_000)
  expect(throttle.take('a')).toBe(10)
  move(10_000)
  expect([throttle.take('a'), throttle.take('a')]).toEqual([undefined, 30])
})

test('a clock that is set back gives no attempts, and doesn’t delay the next one', () => {
  const { throttle, move } = opened()
  expect([throttle.take('a'), throttle.take('a')]).toEqual([undefined, undefined])
  move(-hourMs)
  expect([throttle.take('a'), throttle.take('a')]).toEqual([30, 30])
  move(30_000)
  expect([throttle.take('a'), throttle.take('a')]).toEqual([undefined, 30])
})

test('a throttle gives its attempts, then one at a time, and takes them back', () => {
  let now = 0
  const throttle = createThrottle(2, 1000, () => now)
  const take = () => throttle.take('a')
  expect([take(), take(), take(), throttle.take('b')]).toEqual([undefined, undefined, 1, undefined])
  now = 1500
  expect([take(), take()]).toEqual([undefined, 1])
  throttle.giveBack('a')
  expect([take(), take()]).toEqual([undefined, 1])
  now = 60_000
  expect([take(), take(), take()]).toEqual([undefined, undefined, 1])
})
