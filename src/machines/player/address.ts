import type { TimeRange } from '../../api/contract/time-range.ts'
import { maxPeriod, minPeriod } from '../timeline/timeline-geometry.ts'
import { speeds } from './speeds.ts'

/** The state of a player that is in the browser's address, so that a copied link shows the same frame. */
export interface PlayerAddress {
  /** The moment of the archive; null in live. */
  readonly at: number | null
  readonly speed: number
  /** The length of the timeline's period in milliseconds; null for the default. */
  readonly span: number | null
  readonly selection: TimeRange | null
  readonly isLooping: boolean
}

/**
 * `arrived`: the user went to a moment, which adds a history entry. The others replace the entry: `changed` after a
 * change of settings or range, `advanced` while playback moves on by itself.
 */
export type AddressChange = 'arrived' | 'changed' | 'advanced'

export const liveAddress: PlayerAddress = { at: null, speed: 1, span: null, selection: null, isLooping: false }

/** Browsers read other texts as dates, too, such as a number. */
const iso = /^\d{4}-\d\d-\d\d(?:[T ]|$)/i

function momentOf(text: string | null): number | null {
  const at = text !== null && iso.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}

function selectionOf(query: URLSearchParams): TimeRange | null {
  const [from, to] = [momentOf(query.get('in')), momentOf(query.get('out'))]
  return from === null || to === null || from >= to ? null : { from, to }
}

/** A link with in and out marks opens at its moment if that lies between them, else at the in mark. */
export function openedAt(address: PlayerAddress): PlayerAddress {
  const { at, selection } = address
  if (selection === null || (at !== null && selection.from <= at && at < selection.to)) return address
  return { ...address, at: selection.from }
}

/**
 * Reads `?at=&speed=&span=&in=&out=&loop=`: moments as ISO 8601, `span` in seconds. An invalid value counts as missing.
 */
export function addressOf(search: string): PlayerAddress {
  const query = new URLSearchParams(search)
  const at = momentOf(query.get('at'))
  const speed = Number(query.get('speed'))
  const span = Number(query.get('span')) * 1000
  const selection = selectionOf(query)
  return {
    at,
    speed: at === null ? 1 : (speeds.find((one) => one === speed) ?? 1),
    span: span > 0 ? Math.min(maxPeriod, Math.max(minPeriod, Math.round(span))) : null,
    selection,
    isLooping: selection !== null && query.get('loop') === '1',
  }
}

/** Writes the player's state into a query, without defaults; its other parameters stay. '' or with `?`. */
export function searchOf(search: string, { at, speed, span, selection, isLooping }: PlayerAddress): string {
  const query = new URLSearchParams(search)
  const parameters: Readonly<Record<string, string | null>> = {
    at: at === null ? null : new Date(at).toISOString(),
    speed: at === null || speed === 1 ? null : String(speed),
    span: span === null ? null : String(Math.round(span / 1000)),
    in: selection === null ? null : new Date(selection.from).toISOString(),
    out: selection === null ? null : new Date(selection.to).toISOString(),
    loop: selection !== null && isLooping ? '1' : null,
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  // A query may have colons, and times with them are easier to read.
  const text = query.toString().replaceAll('%3A', ':')
  return text === '' ? '' : `?${text}`
}
