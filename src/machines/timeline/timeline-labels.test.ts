import type { TimeRange } from '../../api/contract/time-range.ts'
import * as fc from 'fast-check'
import * as polyfill from 'temporal-polyfill/implementation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxPeriod, minPeriod } from './timeline-geometry.ts'
import {
  clockChanges,
  isRepeatedAt,
  labelsOf,
  labelStep,
  offsetAt,
  offsetsAround,
  type AxisLabel,
} from './timeline-labels.ts'

const minute = 60_000
const hour = 60 * minute

const width = (label: AxisLabel) => (label.isDayStart ? 48 : label.isRepeated ? 74 : 34)

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16)
const offsetText = (ms: number) => `${ms < 0 ? '-' : '+'}${clock(Math.abs(ms))}`
const read = ({ local, offset, isDayStart, isRepeated }: AxisLabel) => {
  const date = isDayStart ? `${new Date(local).toISOString().slice(0, 10)} ` : ''
  return `${date}${clock(local)}${isRepeated ? offsetText(offset) : ''}`
}

function labels(zone: string, period: TimeRange, pixels: number): string[] {
  return labelsOf(period, pixels, offsetsAround(zone, period), width)
    .filter(({ at }) => period.from <= at && at <= period.to)
    .map(read)
}

const day = (zone: string, date: string): TimeRange => {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(zone)
  return {
    from: start.epochMilliseconds,
    to: Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds,
  }
}

const native = globalThis.Temporal

describe.each([
  ['native', native],
  ['polyfill', polyfill.Temporal],
])('labels with the %s Temporal', (_, Temporal) => {
  beforeAll(() => Object.assign(globalThis, { Temporal }))
  afterAll(() => Object.assign(globalThis, { Temporal: native }))

  test('are about 70 px apart, by the steps of the specification', () => {
    const steps = (length: number, pixels: number) => labelStep({ from: 0, to: length }, pixels) / minute
    expect(steps(5 * minute, 1200)).toBe(1)
    expect(steps(hour, 840)).toBe(5)
    expect(steps(3 * hour, 840)).toBe(15)
    expect(steps(6 * hour, 840)).toBe(30)
    expect(steps(12 * hour, 840)).toBe(60)
    expect(steps(24 * hour, 840)).toBe(120)
    expect(steps(24 * hour, 350)).toBe(240)
    expect(steps(24 * hour, 280)).toBe(360)
  })

  test('a day without its third hour in Berlin', () => {
    expect(labels('Europe/Berlin', day('Europe/Berlin', '2026-03-29'), 23 * 80).slice(0, 5)).toEqual([
      '2026-03-29 00:00',
      '01:00',
      '03:00',
      '04:00',
      '05:00',
    ])
  })

  test('a day of 25 hours in Berlin: the repeated hour carries its offset', () => {
    const { from } = day('Europe/Berlin', '2026-10-25')
    expect(labels('Europe/Berlin', { from, to: from + 5 * hour }, 430)).toEqual([
      '2026-10-25 00:00',
      '01:00',
      '02:00+02:00',
      '02:00+01:00',
      '03:00',
      '04:00',
    ])
  })

  test('Lord Howe moves by half an hour', () => {
    const { from } = day('Australia/Lord_Howe', '2026-04-05')
    expect(labels('Australia/Lord_Howe', { from, to: from + 3.5 * hour }, 588)).toEqual([
      '2026-04-05 00:00',
      '00:30',
      '01:00',
      '01:30+11:00',
      '01:30+10:30',
      '02:00',
      '02:30',
      '03:00',
    ])
    const spring = day('Australia/Lord_Howe', '2026-10-04')
    expect(labels('Australia/Lord_Howe', { from: spring.from, to: spring.from + 3 * hour }, 500)).toEqual([
      '2026-10-04 00:00',
      '00:30',
      '01:00',
      '01:30',
      '02:30',
      '03:00',
      '03:30',
    ])
  })

  test.each([
    ['Africa/Cairo', '2026-04-24'],
    ['Asia/Beirut', '2026-03-29'],
  ])('in %s %s starts at 01:00', (zone, date) => {
    const { from } = day(zone, date)
    expect(labels(zone, { from: from - 2 * hour, to: from + 2 * hour }, 240)).toEqual([
      '22:00',
      '23:00',
      `${date} 01:00`,
      '02:00',
      '03:00',
    ])
  })

  test('Apia has no 2011-12-30', () => {
    const { from } = day('Pacific/Apia', '2011-12-31')
    expect(labels('Pacific/Apia', { from: from - 2 * hour, to: from + 2 * hour }, 240)).toEqual([
      '22:00',
      '23:00',
      '2011-12-31 00:00',
      '01:00',
      '02:00',
    ])
  })

  test('near an edge the text of a day moves into the band, and an hour has none', () => {
    const { from } = day('UTC', '2026-06-01')
    const period = { from: from - 5 * minute, to: from + 4 * hour + 5 * minute }
    const found = labelsOf(period, 250, offsetsAround('UTC', period), width)
    expect(found.map((label) => [read(label), label.x, label.centre, label.width])).toEqual([
      ['2026-06-01 00:00', 5, 26, 48],
      ['02:00', 125, 125, 34],
      ['03:00', 185, 185, 34],
      ['04:00', 245, 245, 0],
    ])
  })

  const zones = [
    'UTC',
    'Europe/Berlin',
    'Europe/Moscow',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'Asia/Beirut',
    'Pacific/Apia',
    'America/Havana',
    'America/New_York',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Pacific/Chatham',
    'Africa/Casablanca',
    'America/Asuncion',
    'Atlantic/Azores',
    'Asia/Tehran',
  ]
  const transitions = zones.flatMap((zone) =>
    offsetsAround(zone, { from: Date.UTC(2011, 11), to: Date.UTC(2026, 11) })
      .filter(({ from }) => Number.isFinite(from))
      .map(({ from }) => ({ zone, from })),
  )
  const anyMoment = fc.oneof(
    fc
      .constantFrom(...transitions)
      .chain(({ zone, from }) =>
        fc.record({ zone: fc.constant(zone), middle: fc.integer({ min: from - 20 * hour, max: from + 20 * hour }) }),
      ),
    fc.record({
      zone: fc.constantFrom(...zones),
      middle: fc.integer({ min: Date.UTC(2011, 0), max: Date.UTC(2030, 0) }),
    }),
  )
  test('changes of the clock are where the zone has them, and only those in sight', () => {
    const around = (zone: string, at: string, hours: number) => {
      const middle = Date.parse(at)
      const period = { from: middle - hours * hour, to: middle + hours * hour }
      return clockChanges(period, offsetsAround(zone, period)).map((change) =>
        change.kind === 'skipped'
          ? `skips ${clock(change.at)}`
          : `repeats ${clock(change.from)} ${clock(change.at)} ${clock(change.to)}`,
      )
    }
    expect(around('Europe/Berlin', '2026-10-25T01:00:00Z', 3)).toEqual(['repeats 00:00 01:00 02:00'])
    expect(around('Europe/Berlin', '2026-03-29T01:00:00Z', 3)).toEqual(['skips 01:00'])
    expect(around('Australia/Lord_Howe', '2026-04-04T15:00:00Z', 3)).toEqual(['repeats 14:30 15:00 15:30'])
    expect(around('Europe/Berlin', '2026-10-25T03:00:00Z', 1)).toEqual([])
    expect(around('Europe/Berlin', '2026-10-25T02:30:00Z', 1)).toEqual(['repeats 00:00 01:00 02:00'])
    expect(around('UTC', '2026-10-25T01:00:00Z', 12)).toEqual([])
  })

  const anyLength = fc.integer({ min: minPeriod, max: maxPeriod })

  test.each([
    ['Europe/Berlin', '2026-03-29'],
    ['Europe/Berlin', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['Africa/Cairo', '2026-04-24'],
    ['Asia/Beirut', '2026-03-29'],
    ['Pacific/Apia', '2011-12-31'],
  ])('never overlap about the change of clocks in %s on %s, at any width and length', (zone, date) => {
    const { from } = day(zone, date)
    fc.assert(
      fc.property(
        fc.integer({ min: -24 * hour, max: 24 * hour }),
        anyLength,
        fc.integer({ min: 200, max: 4000 }),
        (shift, length, pixels) => {
          const period = { from: from + shift, to: from + shift + length }
          const found = labelsOf(period, pixels, offsetsAround(zone, period), width)
          const overlapping = found.filter((label, index) => {
            const before = found[index - 1]
            return before !== undefined && label.centre - label.width / 2 <= before.centre + before.width / 2
          })
          expect(overlapping).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })

  test('never overlap and always tell the local time, in any zone', () => {
    fc.assert(
      fc.property(anyMoment, anyLength, fc.integer({ min: 300, max: 3000 }), ({ zone, middle }, length, pixels) => {
        const period = { from: middle - Math.floor(length / 2), to: middle + Math.ceil(length / 2) }
        const offsets = offsetsAround(zone, period)
        const found = labelsOf(period, pixels, offsets, width)
        found.slice(1).forEach((label, index) => {
          const before = found[index] ?? label
          expect(label.centre - label.width / 2).toBeGreaterThan(before.centre + before.width / 2)
        })
        for (const label of found) {
          const zoned = Temporal.Instant.fromEpochMilliseconds(label.at).toZonedDateTimeISO(zone)
          expect(zoned.toPlainDateTime().toString({ smallestUnit: 'minute' })).toBe(
            new Date(label.local).toISOString().slice(0, 16),
          )
          expect(label.isDayStart).toBe(zoned.startOfDay().epochMilliseconds === label.at)
          const twin = zoned.toPlainDateTime()
          const isRepeated =
            twin.toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds !==
            twin.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
          expect(label.isRepeated).toBe(isRepeated)
          expect(isRepeatedAt(offsets, label.at)).toBe(isRepeated)
          expect(offsetAt(offsets, label.at)).toBe(zoned.offsetNanoseconds / 1e6)
        }
      }),
      { numRuns: 300 },
    )
  })
})
