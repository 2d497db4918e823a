import { expect, test } from 'vitest'
import { createFinder } from '../../../server/tunnel/finder.ts'

const endless = /(?:a+)+b/
const line = 'a'.repeat(50)

test('the address in a line is found by the expression', () => {
  const find = createFinder(/https:\/\/\S+/u)
  expect([find('forwarding'), find('at https://a.example/ now')]).toEqual([undefined, 'https://a.example/'])
})

test('an expression that takes for ever ends, once it has used its time of the processor', () => {
  const readings = [0, 10, 20, 400]
  const find = createFinder(endless, () => readings.shift() ?? Number.NaN)
  expect(find(line)).toBeNull()
  expect(readings).toEqual([])
})
