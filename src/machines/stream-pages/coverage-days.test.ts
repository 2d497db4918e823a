import { expect, test } from 'vitest'
import { dayIn, dayRanges, coverageWeeks } from './coverage-days.ts'

test('consecutive days are one range, across months and years', () => {
  expect(
    dayRanges(['2026-01-02', '2025-12-31', '2026-01-01', '2026-03-01', '2026-02-28', '2026-01-01', '2026-05-09']),
  ).toEqual([
    { from: '2026-05-09', to: '2026-05-09', count: 1 },
    { from: '2026-02-28', to: '2026-03-01', count: 2 },
    { from: '2025-12-31', to: '2026-01-02', count: 3 },
  ])
  expect(dayRanges([])).toEqual([])
})

test('weeks begin on Monday, end with the present one, and reach back as far as needed', () => {
  const weeks = coverageWeeks(['2026-11-05'], '2026-11-21', { min: 2, max: 53 })
  expect(weeks.map((week) => [week[0]?.day, week[6]?.day])).toEqual([
    ['2026-11-02', '2026-11-08'],
    ['2026-11-09', '2026-11-15'],
    ['2026-11-16', '2026-11-22'],
  ])
  const cells = weeks.flat()
  expect(cells.filter(({ isRecorded }) => isRecorded).map(({ day }) => day)).toEqual(['2026-11-05'])
  expect(cells.filter(({ isFuture }) => isFuture).map(({ day }) => day)).toEqual(['2026-11-22'])
  expect([
    coverageWeeks([], '2026-11-21', { min: 2, max: 53 }).length,
    coverageWeeks(['2020-01-01'], '2026-11-21', { min: 2, max: 53 }).length,
  ]).toEqual([2, 53])
})

test('a moment has the day of its zone', () => {
  const moment = Date.parse('2026-03-28T23:30:00Z')
  expect(
    ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati'].map((zone) => dayIn(zone, moment)),
  ).toEqual(['2026-03-28', '2026-03-29', '2026-03-28', '2026-03-29'])
})
