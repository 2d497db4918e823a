import * as fc from 'fast-check'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { formatBytes } from './bytes.ts'
import { formatClock, formatDay, formatMoment, formatNumber, formatRelative, formatZonedMoment } from './formats.ts'
import { activate, chooseLanguage, i18n, languages } from './i18n.ts'

/** Formats need an active language, but no catalogue. */
const speak = (locale: string) => i18n.loadAndActivate({ locale, messages: {} })

describe('numbers (docs/behaviour.md §15)', () => {
  const table: [number, Intl.NumberFormatOptions, string, string][] = [
    [0, {}, '0', '0'],
    [999, {}, '999', '999'],
    [1000, {}, '1,000', '1 000'],
    [1_234_567.891, {}, '1,234,567.891', '1 234 567,891'],
    [-1234.5, {}, '-1,234.5', '-1 234,5'],
    [0.5, {}, '0.5', '0,5'],
    [95.5, { maximumFractionDigits: 0 }, '96', '96'],
    [12_345, { minimumFractionDigits: 2 }, '12,345.00', '12 345,00'],
  ]
  test.each(table)(
    '%d with %o is %s in English and every other language, %s in Russian',
    (value, options, other, russian) => {
      speak('en')
      expect(formatNumber(value, options)).toBe(other)
      speak('de')
      expect(formatNumber(value, options)).toBe(other)
      speak('ru')
      expect(formatNumber(value, options)).toBe(russian)
    },
  )

  test('can be read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (thousandths) => {
        const value = thousandths / 1000
        speak('ru')
        expect(Number(formatNumber(value).replaceAll(' ', '').replace(',', '.'))).toBe(value)
        speak('en')
        expect(Number(formatNumber(value).replaceAll(',', ''))).toBe(value)
      }),
    )
  })
})

describe('bytes', () => {
  test.each([
    [0, '0 byte', '0 Б'],
    [999, '999 byte', '999 Б'],
    [1000, '1 kB', '1 кБ'],
    [1550, '1.6 kB', '1,6 кБ'],
    [99_960, '100 kB', '100 кБ'],
    [999_499, '999 kB', '999 кБ'],
    [999_500, '1 MB', '1 МБ'],
    [2.5e12, '2.5 TB', '2,5 ТБ'],
    [1e18, '1,000 PB', '1 000 ПБ'],
  ])('%d are %s', (bytes, english, russian) => {
    speak('en')
    expect(formatBytes(bytes)).toBe(english)
    speak('ru')
    expect(formatBytes(bytes).replaceAll(/\s/g, ' ')).toBe(russian)
  })
})

describe('moments', () => {
  const at = Date.UTC(2026, 11, 1, 9, 5, 7)
  const zone = 'Europe/Berlin'

  test.each([
    ['en', 'Dec 1, 2026, 10:05:07', 'Dec 1, 2026, 10:05:07 GMT+1', 'December 1, 2026', '10:05:07'],
    ['ru', '1 дек. 2026 г., 10:05:07', '1 дек. 2026 г., 10:05:07 GMT+1', '1 декабря 2026 г.', '10:05:07'],
  ])('in %s', (language, ...words) => {
    speak(language)
    const formats = [formatMoment, formatZonedMoment, formatDay, formatClock]
    expect(formats.map((format) => format(at, zone).replaceAll(/\s/g, ' '))).toEqual(words)
  })

  test.each(['en', 'ru', 'de'])('midnight and the afternoon are of 24 hours in %s', (language) => {
    speak(language)
    const clock = (hour: number) => formatClock(Date.UTC(2026, 11, 1, hour), 'UTC')
    expect([clock(0), clock(12), clock(23)]).toEqual(['00:00:00', '12:00:00', '23:00:00'])
  })

  test.each([
    [0, 'now', 'сейчас'],
    [-59_000, 'now', 'сейчас'],
    [-180_000, '3 minutes ago', '3 минуты назад'],
    [7_200_000, 'in 2 hours', 'через 2 часа'],
    [12 * 86_400_000, 'in 12 days', 'через 12 дней'],
    [-40 * 3_600_000, '1 day ago', '1 день назад'],
    [40 * 3_600_000, 'in 1 day', 'через 1 день'],
    [30 * 86_400_000 - 800, 'in 30 days', 'через 30 дней'],
    [90 * 86_400_000 - 800, 'in 3 months', 'через 3 месяца'],
    [-400 * 86_400_000, '1 year ago', '1 год назад'],
  ])('%d ms from now is %s', (distance, english, russian) => {
    speak('en')
    expect(formatRelative(at + distance, at)).toBe(english)
    speak('ru')
    expect(formatRelative(at + distance, at)).toBe(russian)
  })
})

describe('languages', () => {
  test('English and Russian are there, each named in itself', () => {
    expect(languages).toEqual(
      expect.arrayContaining([
        { code: 'en', name: 'English' },
        { code: 'ru', name: 'Русский' },
      ]),
    )
  })

  test.each([
    [['ru'], 'ru'],
    [['ru-RU'], 'ru'],
    [['RU_ru'], 'ru'],
    [['', 'ru'], 'ru'],
    [['xx-YY', 'ru-BY', 'en'], 'ru'],
    [['russian'], 'en'],
    [['xx', 'yy'], 'en'],
    [[], 'en'],
  ])('of %o one gets %s', (wishes, language) => {
    expect(chooseLanguage(wishes)).toBe(language)
  })

  describe('once one is active', () => {
    beforeEach(() => activate('en'))

    test('its words are there', async () => {
      await activate('ru')
      expect(i18n.locale).toBe('ru')
    })

    test('one that another replaces while it loads has its words, as it may be on the screen', async () => {
      const load = vi.spyOn(i18n, 'load')
      onTestFinished(() => load.mockRestore())
      await Promise.all([activate('ru'), activate('en')])
      expect(load.mock.calls.map(([language]) => language)).toEqual(expect.arrayContaining(['ru', 'en']))
      expect(i18n.locale).toBe('en')
    })

    test('an unknown one changes nothing', async () => {
      await activate('../../package')
      await activate('xx')
      expect(i18n.locale).toBe('en')
    })
  })
})
