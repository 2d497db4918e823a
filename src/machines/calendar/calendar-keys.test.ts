import { expect, test } from 'vitest'
import { stepOf } from './calendar-keys.ts'

test('keys move the cursor by the ARIA grid pattern; shift makes months years', () => {
  expect(
    ['ArrowLeft', 'ArrowDown', 'Home', 'PageUp', 'PageDown', 'Enter', 'toString'].map((key) => [
      stepOf(key, false),
      stepOf(key, true),
    ]),
  ).toEqual([
    ['previousDay', 'previousDay'],
    ['nextWeek', 'nextWeek'],
    ['weekStart', 'weekStart'],
    ['previousMonth', 'previousYear'],
    ['nextMonth', 'nextYear'],
    [undefined, undefined],
    [undefined, undefined],
  ])
})
