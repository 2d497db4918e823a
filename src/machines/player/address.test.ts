import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { addressOf, liveAddress, openedAt, searchOf, type PlayerAddress } from './address.ts'
import { speeds } from './speeds.ts'

test('the speeds are those of docs/behaviour.md §7', () => {
  expect(speeds).toEqual([0.25, 0.5, 1, 2, 4, 8, 16])
})

const at = Date.parse('2026-10-25T00:30:00.123Z')
const moment = fc.integer({ min: 0, max: 4_000_000_000_000 })

describe('the address of a player', () => {
  test('is empty in live', () => {
    expect(addressOf('')).toEqual(liveAddress)
    expect(searchOf('?at=2026-10-25T00:30:00.123Z&speed=4&loop=1&tab=1', liveAddress)).toBe('?tab=1')
  })

  test('has a moment to the millisecond, in UTC, so that a repeated hour is unambiguous', () => {
    expect(searchOf('', { ...liveAddress, at })).toBe('?at=2026-10-25T00:30:00.123Z')
    expect(addressOf('?at=2026-10-25T02:30:00.123%2B02:00')).toEqual({ ...liveAddress, at })
  })

  test.each(['5', '2026', '11/21/2026', 'yesterday'])('%s is no moment', (text) => {
    expect(addressOf(`?at=${encodeURIComponent(text)}`)).toEqual(liveAddress)
  })

  test('ignores invalid values', () => {
    expect(addressOf('?at=yesterday&speed=3&span=long&in=2026-11-21T10:00:00Z&loop=1')).toEqual(liveAddress)
    expect(addressOf('?in=2026-11-21T10:00:00Z&out=2026-11-21T09:00:00Z')).toEqual(liveAddress)
    expect(addressOf(`?at=${new Date(at).toISOString()}&speed=3&span=9999999`)).toEqual({
      ...liveAddress,
      at,
      span: 24 * 3_600_000,
    })
  })

  test('has no speed without a moment and no loop without a selection', () => {
    expect(addressOf('?speed=4')).toEqual(liveAddress)
    expect(addressOf('?loop=1')).toEqual(liveAddress)
  })

  test.each([
    ['', null],
    ['?at=2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.000Z'],
    ['?in=2026-11-21T10:00:00.000Z&out=2026-11-21T10:05:00.000Z', '2026-11-21T10:00:00.000Z'],
    [
      '?at=2026-11-21T10:03:00.000Z&in=2026-11-21T10:00:00.000Z&out=2026-11-21T10:05:00.000Z',
      '2026-11-21T10:03:00.000Z',
    ],
    [
      '?at=2026-11-21T10:05:00.000Z&in=2026-11-21T10:00:00.000Z&out=2026-11-21T10:05:00.000Z',
      '2026-11-21T10:00:00.000Z',
    ],
    [
      '?at=2026-11-20T10:00:00.000Z&in=2026-11-21T10:00:00.000Z&out=2026-11-21T10:05:00.000Z',
      '2026-11-21T10:00:00.000Z',
    ],
  ])('%s opens at %s: within the marks', (search, opened) => {
    const address = addressOf(search)
    expect(openedAt(address)).toEqual({ ...address, at: opened === null ? null : Date.parse(opened) })
  })

  test('is read as it was written', () => {
    fc.assert(
      fc.property(
        moment,
        fc.constantFrom(...speeds),
        fc.option(fc.integer({ min: 300, max: 86_400 })),
        fc.option(fc.tuple(moment, fc.integer({ min: 1, max: 1e9 }))),
        fc.boolean(),
        (moment_, speed, span, marks, isLooping) => {
          const selection = marks === null ? null : { from: marks[0], to: marks[0] + marks[1] }
          const address: PlayerAddress = {
            at: moment_,
            speed,
            span: span === null ? null : span * 1000,
            selection,
            isLooping: isLooping && selection !== null,
          }
          expect(addressOf(searchOf('?tab=1', address))).toEqual(address)
        },
      ),
    )
  })
})
