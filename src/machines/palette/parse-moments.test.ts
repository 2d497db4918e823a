import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMoments } from './parse-moments.ts'

/** A Thursday afternoon in Berlin. */
const reading = { now: Date.parse('2026-11-26T14:30:00+01:00'), zone: 'Europe/Berlin' }

const inWords = (words: string, { now, zone }: { now: number | string; zone: string } = reading) =>
  parseMoments(words, { now: typeof now === 'number' ? now : Date.parse(now), zone }).map((at) =>
    new Date(at).toISOString(),
  )

describe('a moment in words', () => {
  test.each([
    ['14:05', '2026-11-26T13:05:00.000Z'],
    ['14:30', '2026-11-26T13:30:00.000Z'],
    ['14:31', '2026-11-25T13:31:00.000Z'],
    ['2:05 pm', '2026-11-26T13:05:00.000Z'],
    ['12:05am', '2026-11-25T23:05:00.000Z'],
    ['9am', '2026-11-26T08:00:00.000Z'],
    ['14:05:03.5', '2026-11-26T13:05:03.500Z'],
    ['today 9:30', '2026-11-26T08:30:00.000Z'],
    ['Сегодня в 9:30', '2026-11-26T08:30:00.000Z'],
    ['yesterday 14:05', '2026-11-25T13:05:00.000Z'],
    ['14:05 yesterday', '2026-11-25T13:05:00.000Z'],
    ['yesterday, at 14:05', '2026-11-25T13:05:00.000Z'],
    ['вчера 14:05', '2026-11-25T13:05:00.000Z'],
    ['Вчера', '2026-11-24T23:00:00.000Z'],
    ['позавчера в 7:00', '2026-11-24T06:00:00.000Z'],
    ['monday 08:00', '2026-11-23T07:00:00.000Z'],
    ['last Monday 08:00', '2026-11-23T07:00:00.000Z'],
    ['понедельник 8:00', '2026-11-23T07:00:00.000Z'],
    ['в среду в 8:00', '2026-11-25T07:00:00.000Z'],
    ['прошлую среду 8:00', '2026-11-25T07:00:00.000Z'],
    ['в прошлую среду в 8:00', '2026-11-25T07:00:00.000Z'],
    ['в прошлый понедельник', '2026-11-22T23:00:00.000Z'],
    ['пт 8:00', '2026-11-20T07:00:00.000Z'],
    ['thursday 14:00', '2026-11-26T13:00:00.000Z'],
    ['thursday 15:00', '2026-11-19T14:00:00.000Z'],
    ['21.11.2026 14:05', '2026-11-21T13:05:00.000Z'],
    ['21.11.26 14:05', '2026-11-21T13:05:00.000Z'],
    ['21.11 14:05', '2026-11-21T13:05:00.000Z'],
    ['29 feb 14:05', '2024-02-29T13:05:00.000Z'],
    ['21.12 14:05', '2025-12-21T13:05:00.000Z'],
    ['2026-11-21 14:05:03', '2026-11-21T13:05:03.000Z'],
    ['2026-11-21T14:05', '2026-11-21T13:05:00.000Z'],
    ['2026-11-21T14:05:03.250Z', '2026-11-21T14:05:03.250Z'],
    ['2026-11-21 14:05:03+03:00', '2026-11-21T11:05:03.000Z'],
    ['21 november 14:05', '2026-11-21T13:05:00.000Z'],
    ['Nov 21, 2025 14:05', '2025-11-21T13:05:00.000Z'],
    ['14:05,21 November', '2026-11-21T13:05:00.000Z'],
    ['21 ноября', '2026-11-20T23:00:00.000Z'],
    ['10 min ago', '2026-11-26T13:20:00.000Z'],
    ['10 минут назад', '2026-11-26T13:20:00.000Z'],
    ['минуту назад', '2026-11-26T13:29:00.000Z'],
    ['полчаса тому назад', '2026-11-26T13:00:00.000Z'],
    ['half an hour ago', '2026-11-26T13:00:00.000Z'],
    ['an hour ago', '2026-11-26T12:30:00.000Z'],
    ['-1h', '2026-11-26T12:30:00.000Z'],
    ['−1 ч 30 мин', '2026-11-26T12:00:00.000Z'],
    ['-1.5h', '2026-11-26T12:00:00.000Z'],
    ['-1,5 ч', '2026-11-26T12:00:00.000Z'],
    ['1,5 часа назад', '2026-11-26T12:00:00.000Z'],
    ['2 дня назад', '2026-11-24T13:30:00.000Z'],
  ])('%s', (words, expected) => {
    expect(inWords(words)).toEqual([expected])
  })

  test.each([
    '',
    ' ',
    '1',
    'gate',
    '14',
    '25:00',
    '14:60',
    '13pm',
    '0 am',
    'sat',
    'today 15:00',
    'tomorrow 9:00',
    'завтра 9:00',
    '2026-11-27',
    '2026-11-27T08:00:00Z',
    '31.02.2026 10:00',
    '2026-13-01',
    '00.11',
    'toString 9:00',
    '-1',
    '-1x',
    '10 min',
    '-1.5d',
    '-9999999999999w',
    'yesterday gate 14:05',
    '14:05 15:05',
  ])('“%s” is none', (words) => {
    expect(inWords(words)).toEqual([])
  })
})

describe('where clocks change', () => {
  test('an hour that occurs twice is two moments, of which only past ones count', () => {
    const berlin = { now: '2026-10-25T12:00:00+01:00', zone: 'Europe/Berlin' }
    expect(inWords('2:30', berlin)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'])
    expect(inWords('today 2:30', { ...berlin, now: '2026-10-25T01:00:00Z' })).toEqual(['2026-10-25T00:30:00.000Z'])
  })

  test('a time that the clock skipped is the one after the change', () => {
    expect(inWords('today 2:30', { now: '2026-03-29T12:00:00+02:00', zone: 'Europe/Berlin' })).toEqual([
      '2026-03-29T01:30:00.000Z',
    ])
  })

  test('yesterday and a day ago are calendar days, hours are exact', () => {
    const monday = { now: '2026-03-30T00:30:00+02:00', zone: 'Europe/Berlin' }
    expect(inWords('yesterday 0:30', monday)).toEqual(['2026-03-28T23:30:00.000Z'])
    expect(inWords('-1d', monday)).toEqual(['2026-03-28T23:30:00.000Z'])
    expect(inWords('-24h', monday)).toEqual(['2026-03-28T22:30:00.000Z'])
  })
})

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Santiago',
]
const clockAt = (at: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
const english = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const russian = ['понедельник', 'вторник', 'среду', 'четверг', 'пятницу', 'субботу', 'воскресенье']

/** Around every change of the clocks between 2020 and 2030 and anywhere else. */
const now = fc
  .integer({ min: Date.parse('2020-01-01T00:00:00Z') / 1000, max: Date.parse('2030-01-01T00:00:00Z') / 1000 })
  .map((seconds) => seconds * 1000)

describe('at any time in any zone', () => {
  test('a moment of the last six days is found by its weekday, in both languages, and by its date', () => {
    fc.assert(
      fc.property(now, fc.constantFrom(...zones), fc.integer({ min: 0, max: 6 * 86_400 - 7200 }), (at, zone, ago) => {
        const moment = clockAt(at - ago * 1000, zone)
        const time = moment.toPlainTime().toString({ smallestUnit: 'second' })
        const day = moment.dayOfWeek - 1
        for (const words of [
          `${english[day]} ${time}`,
          `в ${russian[day]} в ${time}`,
          `${moment.toPlainDate().toString()} ${time}`,
        ]) {
          expect(parseMoments(words, { now: at, zone })).toContain(moment.epochMilliseconds)
        }
      }),
    )
  })

  test('nothing is ever in the future', () => {
    const time = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${hour}:${String(minute).padStart(2, '0')}`)
    const day = fc.constantFrom('', 'today', 'вчера', 'sunday', 'среду', '29.02', '31.12', '1 января', '2026-06-01')
    fc.assert(
      fc.property(now, fc.constantFrom(...zones), day, time, (at, zone, dayWords, timeWords) => {
        const moments = parseMoments(`${dayWords} ${timeWords}`, { now: at, zone })
        expect(moments.filter((one) => one > at)).toEqual([])
      }),
    )
  })

  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '-',
      '1',
      '99999999',
      '14:05',
      '9am',
      'ago',
      'назад',
      'h',
      'дней',
      'yesterday',
      '31',
      'feb',
      '2026',
      '30.02',
      'monday',
      'z',
    ),
  )

  test('any text is read without an exception', () => {
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom(...zones), (words, zone) => {
        expect(parseMoments(words.join(' '), { ...reading, zone }).every((at) => at <= reading.now)).toBe(true)
      }),
    )
  })
})
