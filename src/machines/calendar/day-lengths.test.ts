import * as polyfill from 'temporal-polyfill/implementation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayPeriod } from '../timeline/lookup.ts'
import { addDays } from './calendar-grid.ts'
import { clockChangeDays } from './day-lengths.ts'

const native = globalThis.Temporal
const zones = [
  'UTC',
  'Europe/Berlin',
  'Asia/Beirut',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Havana',
  'America/New_York',
]

describe.each([
  ['native', native],
  ['polyfill', polyfill.Temporal],
])('days that are not of 24 hours with the %s Temporal', (_, Temporal) => {
  beforeAll(() => Object.assign(globalThis, { Temporal }))
  afterAll(() => Object.assign(globalThis, { Temporal: native }))

  test('of a year, and at the ends of the range', () => {
    const days = (zone: string) => Object.fromEntries(clockChangeDays('2026-01-01', '2026-12-31', zone))
    expect(days('Europe/Berlin')).toEqual({ '2026-03-29': 23, '2026-10-25': 25 })
    expect(days('Australia/Lord_Howe')).toEqual({ '2026-04-05': 24.5, '2026-10-04': 23.5 })
    expect(days('Asia/Beirut')).toEqual({ '2026-03-29': 23, '2026-10-24': 25 })
    expect(days('UTC')).toEqual({})
    expect([...clockChangeDays('2026-03-29', '2026-03-29', 'Europe/Berlin')]).toEqual([['2026-03-29', 23]])
    expect([...clockChangeDays('2026-03-30', '2026-10-24', 'Europe/Berlin')]).toEqual([])
    expect([...clockChangeDays('2011-12-29', '2011-12-31', 'Pacific/Apia')]).toEqual([['2011-12-30', 0]])
  })

  test.each(zones)('are the ones that the days’ own ends tell in %s', (zone) => {
    const expected: Record<string, number> = {}
    for (let day = '2024-02-15'; day <= '2026-02-15'; day = addDays(day, 1)) {
      const { from, to } = dayPeriod(day, zone)
      if (to - from !== 86_400_000) expected[day] = (to - from) / 3_600_000
    }
    expect(Object.fromEntries(clockChangeDays('2024-02-15', '2026-02-15', zone))).toEqual(expected)
  })
})
