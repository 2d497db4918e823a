import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileText, localText, momentOfLocal, offsetMinutesAt, offsetsOfRepeated } from './local-text.ts'

const berlin = 'Europe/Berlin'
/** 02:30 in summer time, and an hour later in winter time. */
const [summer, winter] = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)]

describe('the hour that Berlin has twice on 2026-10-25', () => {
  test('is distinguished by its offset, in texts and in names of files', () => {
    expect([summer, winter].map((at) => localText(at, berlin))).toEqual([
      '2026-10-25 02:30:00+02:00',
      '2026-10-25 02:30:00+01:00',
    ])
    expect([summer, winter].map((at) => fileText(at, berlin))).toEqual([
      '2026-10-25 02-30-00 +02-00',
      '2026-10-25 02-30-00 +01-00',
    ])
    expect([summer, winter].map((at) => offsetMinutesAt(at, berlin))).toEqual([120, 60])
  })

  test('is read with its offset, as the earlier one without, and not with another', () => {
    expect(momentOfLocal('2026-10-25 02:30:00+01:00', berlin)).toBe(winter)
    expect(momentOfLocal(' 2026-10-25 02:30  −01:00', berlin)).toBeNull()
    expect(momentOfLocal('2026-10-25 02:30:00 +02:00', berlin)).toBe(summer)
    expect(momentOfLocal('2026-10-25 02:30', berlin)).toBe(summer)
  })

  test('has two offsets, other times have none', () => {
    expect(offsetsOfRepeated('2026-10-25 02:30', berlin)).toEqual(['+02:00', '+01:00'])
    expect(['2026-10-25 03:30', '2026-03-29 02:30', 'soon'].flatMap((text) => offsetsOfRepeated(text, berlin))).toEqual(
      [],
    )
  })
})

test('a time that the clock skips is read as the one after the change', () => {
  expect(momentOfLocal('2026-03-29 02:30:00', berlin)).toBe(Date.UTC(2026, 2, 29, 1, 30))
})

test("an invalid time isn't read", () => {
  expect(
    ['2026-11-21', '2026-11-31 10:00', '2026-11-21 25:00', '2026-11-21 10:00 CET', ''].map((text) =>
      momentOfLocal(text, 'UTC'),
    ),
  ).toEqual([null, null, null, null, null])
})

test('a local time converts to a moment and back, in every zone and at every clock change', () => {
  const zones = [
    'UTC',
    berlin,
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'America/St_Johns',
    'Pacific/Apia',
  ]
  const seconds = fc.integer({ min: Date.UTC(2016, 0) / 1000, max: Date.UTC(2036, 0) / 1000 })
  const aroundChange = fc.integer({ min: summer / 1000 - 7200, max: winter / 1000 + 7200 })
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.oneof(seconds, aroundChange), (zone, second) => {
      expect(momentOfLocal(localText(second * 1000, zone), zone)).toBe(second * 1000)
    }),
  )
})
