import { expect, test } from 'vitest'
import { periodOfDays } from './chosen-period.ts'

const iso = ({ from, to, days }: ReturnType<typeof periodOfDays>) => [
  new Date(from).toISOString(),
  new Date(to).toISOString(),
  days,
]

test('a period of days is as long as its days are, and ends now at the latest', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(iso(periodOfDays('2026-10-24', '2026-10-25', 'Europe/Berlin', now))).toEqual([
    '2026-10-23T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
    2,
  ])
  expect(iso(periodOfDays('2026-11-21', '2026-11-21', 'Europe/Berlin', now))).toEqual([
    '2026-11-20T23:00:00.000Z',
    '2026-11-21T12:00:00.000Z',
    1,
  ])
  expect(iso(periodOfDays('2026-11-22', '2026-11-22', 'Europe/Berlin', now))).toEqual([
    '2026-11-21T23:00:00.000Z',
    '2026-11-21T23:00:00.000Z',
    1,
  ])
})
