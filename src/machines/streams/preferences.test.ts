import { describe, expect, test } from 'vitest'
import {
  type ListView,
  type ListViewEvent,
  searchOf,
  defaultPreferences,
  isSameQuery,
  preferencesOf,
  readPreferences,
  viewAfter,
  viewInAddress,
} from './preferences.ts'

const byDefault: ListView = { ...defaultPreferences, sortType: 'date' }

describe('what this browser stores', () => {
  test('is exactly the five preferences (docs/behaviour.md §5)', () => {
    expect(preferencesOf(byDefault)).toEqual({
      viewModeKey: 'grid',
      groupType: 'none',
      searchingValues: [],
      isShownAvailableStreams: false,
      isOpenAside: false,
    })
  })

  test('is read back as it was written', () => {
    const kept = {
      viewModeKey: 'table',
      groupType: 'tag',
      searchingValues: ['gate', 'north'],
      isShownAvailableStreams: true,
      isOpenAside: true,
    }
    expect(readPreferences(kept)).toEqual(kept)
  })

  test.each([
    null,
    undefined,
    7,
    'grid',
    [],
    {},
    { viewModeKey: 'list', groupType: 3, searchingValues: 'a', isShownAvailableStreams: 1, isOpenAside: 'yes' },
  ])('reads %j as the defaults', (stored) => {
    expect(readPreferences(stored)).toEqual(defaultPreferences)
  })

  test('keeps the valid members of an invalid one', () => {
    expect(
      readPreferences({ viewModeKey: 'table', searchingValues: [' gate ', 4, null, '', 'gate', 'x'.repeat(300)] }),
    ).toEqual({
      ...defaultPreferences,
      viewModeKey: 'table',
      searchingValues: ['gate', 'x'.repeat(200)],
    })
  })
})

describe('the view in an address', () => {
  test('is empty for the defaults', () => {
    expect(searchOf(byDefault, '')).toBe('')
  })

  test('is restored from the address', () => {
    const view: ListView = {
      viewModeKey: 'table',
      groupType: 'tag',
      searchingValues: ['a&b', 'перрон'],
      isShownAvailableStreams: true,
      isOpenAside: true,
      sortType: 'status',
    }
    expect(viewInAddress(searchOf(view, ''), true)).toEqual(view)
  })

  test('leaves other parameters in place', () => {
    expect(searchOf({ ...byDefault, viewModeKey: 'table' }, '?inspect=1&view=grid&search=old')).toBe(
      '?inspect=1&view=table',
    )
  })

  test('is null if the address has no parameter of it', () => {
    expect(viewInAddress('?inspect=1', false)).toBeNull()
  })

  test('reads invalid values as the default', () => {
    expect(viewInAddress('?view=mosaic&group=node&sort=size&available=1&search=+', false)).toEqual(byDefault)
  })
})

test('every request changes the view as it says', () => {
  const after = (event: ListViewEvent, view = byDefault) => viewAfter(view, event)
  expect({
    grouping: after({ type: 'grouping.switched' }).groupType,
    groupingBack: after({ type: 'grouping.switched' }, { ...byDefault, groupType: 'tag' }).groupType,
    table: after({ type: 'table.switched' }).viewModeKey,
    tableBack: after({ type: 'table.switched' }, { ...byDefault, viewModeKey: 'table' }).viewModeKey,
    available: after({ type: 'availability.switched' }).isShownAvailableStreams,
    added: after({ type: 'search.added', value: ' gate ' }).searchingValues,
    addedAgain: after({ type: 'search.added', value: 'gate' }, { ...byDefault, searchingValues: ['gate'] })
      .searchingValues,
    addedNothing: after({ type: 'search.added', value: '  ' }).searchingValues,
    removed: after({ type: 'search.removed', value: 'a' }, { ...byDefault, searchingValues: ['a', 'b'] })
      .searchingValues,
    cleared: after({ type: 'search.cleared' }, { ...byDefault, searchingValues: ['a', 'b'] }).searchingValues,
    sort: after({ type: 'sort.chosen', sortType: 'name' }).sortType,
  }).toEqual({
    grouping: 'tag',
    groupingBack: 'none',
    table: 'table',
    tableBack: 'grid',
    available: true,
    added: ['gate'],
    addedAgain: ['gate'],
    addedNothing: [],
    removed: ['b'],
    cleared: [],
    sort: 'name',
  })
})

test('only what the server is asked for changes the query', () => {
  expect(isSameQuery(byDefault, { ...byDefault, viewModeKey: 'table', isOpenAside: true })).toBe(true)
  expect(isSameQuery(byDefault, { ...byDefault, sortType: 'name' })).toBe(false)
})
