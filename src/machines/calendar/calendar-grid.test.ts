import * as fc from 'fast-check'
import * as polyfill from 'temporal-polyfill/implementation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayPeriod } from '../timeline/lookup.ts'
import {
  addDays,
  addMonths,
  dayNumber,
  dayOf,
  firstDayOf,
  isDay,
  lengthOfMonth,
  monthOf,
  weekdayOf,
  weeksOf,
} from './calendar-grid.ts'

const anyNumber = fc.integer({ min: dayNumber('1970-01-01'), max: dayNumber('2099-12-31') })

test('days read and write as YYYY-MM-DD, and nothing else is a day', () => {
  fc.assert(
    fc.property(anyNumber, (number) => {
      expect(dayNumber(dayOf(number))).toBe(number)
      expect(dayOf(number)).toBe(new Date(number * 86_400_000).toISOString().slice(0, 10))
    }),
  )
  expect(['2026-02-29', '2026-13-01', '2026-1-1', '21.11.2026', ''].map(isDay)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
  expect(isDay('2028-02-29')).toBe(true)
})

test('weeks start on Monday and hold each day of the month once', () => {
  expect(weeksOf(monthOf('2026-11-01')).at(0)).toEqual([null, null, null, null, null, null, '2026-11-01'])
  expect(weekdayOf('2026-11-21')).toBe(6)
  fc.assert(
    fc.property(anyNumber, (number) => {
      const month = monthOf(dayOf(number))
      const days = weeksOf(month)
        .flat()
        .filter((day) => day !== null)
      expect(days.length).toBe(lengthOfMonth(month))
      expect([days[0], monthOf(days.at(-1) ?? '')]).toEqual([firstDayOf(month), month])
      for (const week of weeksOf(month)) {
        expect(week.length).toBe(7)
        expect(week.every((day, column) => day === null || weekdayOf(day) === column + 1)).toBe(true)
      }
    }),
  )
})

test('a month later is the same date, or the last of a shorter month', () => {
  expect([
    addMonths('2026-01-31', 1),
    addMonths('2028-01-31', 1),
    addMonths('2026-03-31', -1),
    addMonths('2026-11-21', 12),
  ]).toEqual(['2026-02-28', '2028-02-29', '2026-02-28', '2027-11-21'])
})

test('the grid of every month of ten years has the days that Temporal knows, each once and under its weekday', () => {
  for (let month = monthOf('2020-01-01'); month < monthOf('2030-01-01'); month += 1) {
    const first = Temporal.PlainDate.from(firstDayOf(month))
    const known = Array.from({ length: first.daysInMonth }, (_day, index) => first.add({ days: index }))
    const placed = weeksOf(month).flatMap((week) =>
      week.flatMap((day, column) => (day === null ? [] : [`${day} ${column + 1}`])),
    )
    expect(placed).toEqual(known.map((date) => `${date.toString()} ${date.dayOfWeek}`))
  }
})

const zones = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Moscow',
  'Europe/Lisbon',
  'Europe/Istanbul',
  'Atlantic/Azores',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Johannesburg',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Asia/Tehran',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Asia/Pyongyang',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Auckland',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Asuncion',
  'America/Sao_Paulo',
  'America/Santiago',
]
const native = globalThis.Temporal

describe.each([
  ['native', native],
  ['polyfill', polyfill.Temporal],
])('days of 30 zones and 10 years with the %s Temporal', (_, Temporal) => {
  beforeAll(() => Object.assign(globalThis, { Temporal }))
  afterAll(() => Object.assign(globalThis, { Temporal: native }))

  test('follow each other without a hole, and every moment is in the day that its zone says', () => {
    const first = dayNumber('2011-12-01')
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: first, max: first + 10 * 366 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (zone, number, share) => {
          const day = dayOf(number)
          const { from, to } = dayPeriod(day, zone)
          expect(to).toBe(dayPeriod(addDays(day, 1), zone).from)
          const hours = (to - from) / 3_600_000
          const isMissing = zone === 'Pacific/Apia' && day === '2011-12-30'
          expect(isMissing ? hours === 0 : hours >= 23 && hours <= 25).toBe(true)
          const moment = from + Math.floor(share * (to - from))
          const named = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate().toString()
          expect(named).toBe(isMissing ? '2011-12-31' : day)
        },
      ),
      { numRuns: 1500 },
    )
  })
})
