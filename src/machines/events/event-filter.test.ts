import { expect, test } from 'vitest'
import { eventFilterOf, eventSearch, noFilter, isNarrowed } from './event-filter.ts'

test('a filter is read from an address, and written as it was', () => {
  const search =
    '?page=2&from=2026-11-21T08%3A00%3A00.000Z&to=2026-11-21T09%3A00%3A00.000Z&stream=gate&stream=a%26b&label=car&type=line'
  const filter = {
    page: 2,
    from: Date.UTC(2026, 10, 21, 8),
    to: Date.UTC(2026, 10, 21, 9),
    streamIds: ['gate', 'a&b'],
    label: 'car',
    type: 'line',
  }
  expect(eventFilterOf(search)).toEqual(filter)
  expect(eventSearch(filter)).toBe(search)
  expect([eventFilterOf(''), eventSearch(noFilter)]).toEqual([noFilter, ''])
})

test('invalid parameters are left out', () => {
  expect(eventFilterOf('?page=-1&from=noon&to=&stream=&stream=gate&stream=gate')).toEqual({
    ...noFilter,
    streamIds: ['gate'],
  })
  const many = Array.from({ length: 101 }, (_, index) => `stream=s${index}`).join('&')
  expect(eventFilterOf(`?${many}`).streamIds).toHaveLength(100)
})

test('the page number is no filter', () => {
  expect([isNarrowed({ ...noFilter, page: 3 }), isNarrowed({ ...noFilter, label: 'car' })]).toEqual([false, true])
})
