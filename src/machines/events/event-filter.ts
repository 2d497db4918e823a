import type { EventFilter } from '../../api/resources/events.ts'

export const noFilter: EventFilter = { page: 1, from: null, to: null, streamIds: [], label: '', type: '' }

const maxStreams = 100

/** Reads the filter from the query of the address; invalid values are ignored. */
export function eventFilterOf(search: string): EventFilter {
  const query = new URLSearchParams(search)
  const moment = (name: string) => {
    const at = Date.parse(query.get(name) ?? '')
    return Number.isNaN(at) ? null : at
  }
  const streamIds = [...new Set(query.getAll('stream'))].filter((uid) => uid !== '')
  return {
    page: Math.max(1, Math.floor(Number(query.get('page'))) || 1),
    from: moment('from'),
    to: moment('to'),
    streamIds: streamIds.slice(0, maxStreams),
    label: query.get('label') ?? '',
    type: query.get('type') ?? '',
  }
}

/** The query of the address for a filter; '' if nothing is filtered. */
export function eventSearch({ page, from, to, streamIds, label, type }: EventFilter): string {
  const query = new URLSearchParams()
  if (page > 1) query.set('page', String(page))
  if (from !== null) query.set('from', new Date(from).toISOString())
  if (to !== null) query.set('to', new Date(to).toISOString())
  for (const uid of streamIds) query.append('stream', uid)
  if (label !== '') query.set('label', label)
  if (type !== '') query.set('type', type)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Whether the filter excludes any event; the page number doesn't count. */
export const isNarrowed = (filter: EventFilter): boolean => eventSearch({ ...filter, page: 1 }) !== ''
