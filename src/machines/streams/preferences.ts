/** The view of the list: as stored in this browser, as in the address, and as the query to the server. */

export type GroupType = 'none' | 'tag'
export type ViewMode = 'grid' | 'table'
export type SortType = 'date' | 'name' | 'status'

/** Stored in localStorage as `all-streams`, always with exactly these members (docs/behaviour.md §5). */
export interface Preferences {
  readonly viewModeKey: ViewMode
  readonly groupType: GroupType
  readonly searchingValues: readonly string[]
  readonly isShownAvailableStreams: boolean
  readonly isOpenAside: boolean
}

export interface ListView extends Preferences {
  readonly sortType: SortType
}

export interface StreamsQuery {
  readonly groupType: GroupType
  readonly sortType: SortType
  readonly isOnlyAvailable: boolean
  readonly searchingValues: readonly string[]
}

export type ListViewEvent =
  | { type: 'grouping.switched' }
  | { type: 'table.switched' }
  | { type: 'availability.switched' }
  | { type: 'search.added'; value: string }
  | { type: 'search.removed'; value: string }
  | { type: 'search.cleared' }
  | { type: 'sort.chosen'; sortType: SortType }

export const defaultPreferences: Preferences = {
  viewModeKey: 'grid',
  groupType: 'none',
  searchingValues: [],
  isShownAvailableStreams: false,
  isOpenAside: false,
}

export const maxValues = 20
export const maxValueLength = 200

/** The stored preferences; an invalid member gets its default. */
export function readPreferences(stored: unknown): Preferences {
  if (typeof stored !== 'object' || stored === null) return defaultPreferences
  const { viewModeKey, groupType, searchingValues, isShownAvailableStreams, isOpenAside }: Record<string, unknown> = {
    ...stored,
  }
  return {
    viewModeKey: viewModeKey === 'table' ? 'table' : 'grid',
    groupType: groupType === 'tag' ? 'tag' : 'none',
    searchingValues: Array.isArray(searchingValues) ? cleanValues(searchingValues) : [],
    isShownAvailableStreams: isShownAvailableStreams === true,
    isOpenAside: isOpenAside === true,
  }
}

/** The stored order, or that of an address; an invalid one is `date`. */
export const readSortType = (stored: unknown): SortType => (stored === 'name' || stored === 'status' ? stored : 'date')

export const preferencesOf = ({
  viewModeKey,
  groupType,
  searchingValues,
  isShownAvailableStreams,
  isOpenAside,
}: ListView): Preferences => ({
  viewModeKey,
  groupType,
  searchingValues,
  isShownAvailableStreams,
  isOpenAside,
})

export const queryOf = ({ groupType, sortType, isShownAvailableStreams, searchingValues }: ListView): StreamsQuery => ({
  groupType,
  sortType,
  isOnlyAvailable: isShownAvailableStreams,
  searchingValues,
})

export const isSameView = (one: ListView, other: ListView): boolean => JSON.stringify(one) === JSON.stringify(other)

export const isSameQuery = (one: ListView, other: ListView): boolean =>
  JSON.stringify(queryOf(one)) === JSON.stringify(queryOf(other))

export function viewAfter(view: ListView, event: ListViewEvent): ListView {
  switch (event.type) {
    case 'grouping.switched':
      return { ...view, groupType: view.groupType === 'tag' ? 'none' : 'tag' }
    case 'table.switched':
      return { ...view, viewModeKey: view.viewModeKey === 'table' ? 'grid' : 'table' }
    case 'availability.switched':
      return { ...view, isShownAvailableStreams: !view.isShownAvailableStreams }
    case 'search.added':
      return { ...view, searchingValues: cleanValues([...view.searchingValues, event.value]) }
    case 'search.removed':
      return { ...view, searchingValues: view.searchingValues.filter((value) => value !== event.value) }
    case 'search.cleared':
      return { ...view, searchingValues: [] }
    case 'sort.chosen':
      return { ...view, sortType: event.sortType }
  }
}

const names = { view: 'view', group: 'group', available: 'available', search: 'search', sort: 'sort' } as const

/** The view in an address; null if the address has no parameter of it. Missing parameters have their defaults. */
export function viewInAddress(search: string, isOpenAside: boolean): ListView | null {
  const query = new URLSearchParams(search)
  if (!Object.values(names).some((name) => query.has(name))) return null
  return {
    viewModeKey: query.get(names.view) === 'table' ? 'table' : 'grid',
    groupType: query.get(names.group) === 'tag' ? 'tag' : 'none',
    searchingValues: cleanValues(query.getAll(names.search)),
    isShownAvailableStreams: query.get(names.available) === 'true',
    isOpenAside,
    sortType: readSortType(query.get(names.sort)),
  }
}

/** The query of the address with the view, without defaults; other parameters stay. */
export function searchOf(
  { viewModeKey, groupType, isShownAvailableStreams, searchingValues, sortType }: ListView,
  search: string,
): string {
  const query = new URLSearchParams(search)
  for (const name of Object.values(names)) query.delete(name)
  if (viewModeKey === 'table') query.set(names.view, 'table')
  if (groupType === 'tag') query.set(names.group, 'tag')
  if (isShownAvailableStreams) query.set(names.available, 'true')
  if (sortType !== 'date') query.set(names.sort, sortType)
  for (const value of searchingValues) query.append(names.search, value)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

function cleanValues(values: readonly unknown[]): string[] {
  const texts = values.flatMap((value) => (typeof value === 'string' ? [value.trim().slice(0, maxValueLength)] : []))
  return [...new Set(texts)].filter((value) => value !== '').slice(0, maxValues)
}
