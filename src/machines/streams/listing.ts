import type { Stream, StreamsPage } from '../../api/contract/stream.ts'
import type { StreamsQuery } from './preferences.ts'

/** What is known of the list: its length, and the loaded pages by their number, from 1. */
export interface Listing {
  readonly total: number
  readonly pageSize: number
  readonly pages: Readonly<Record<number, readonly Stream[]>>
}

export interface AnsweredPage {
  readonly page: number
  readonly answer: StreamsPage
}

/** Whether the filter "only available" finds a stream (docs/behaviour.md §5). */
export const hasAvailableStatus = ({ status }: Pick<Stream, 'status'>): boolean =>
  status === 'pending' || status === 'running'

/** The source as the server searches it. */
const withoutCredentials = (source: string): string => source.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1')

/** A case-insensitive substring of name, sources, tags or location, for every search value (docs/behaviour.md §5). */
export function matchesSearch(
  { name, streamSource, substreamSource = '', tags, location }: Stream,
  searchingValues: readonly string[],
): boolean {
  const sources = [streamSource, substreamSource].flatMap((source) => [source, withoutCredentials(source)])
  const texts = [name, ...sources, ...tags, location.name].map((text) => text.toLowerCase())
  return searchingValues.every((value) => texts.some((text) => text.includes(value.toLowerCase())))
}

/**
 * Adds pages to the listing. A stream that hasn't changed stays the same object. A new length or page size drops the
 * other pages.
 */
export function withPages(
  before: Listing | null,
  answers: readonly AnsweredPage[],
  query: StreamsQuery,
): Listing | null {
  return answers.reduce<Listing | null>((listing, answered) => withPage(listing, answered, query), before)
}

function withPage(before: Listing | null, { page, answer }: AnsweredPage, query: StreamsQuery): Listing {
  const { items, total, pageSize } = corrected(answer, page, query, before)
  const known = before !== null && before.total === total && before.pageSize === pageSize ? before.pages : {}
  const streamsBefore = new Map((before?.pages[page] ?? []).map((stream) => [stream.uid, stream]))
  const streams = items.map((stream) => {
    const streamBefore = streamsBefore.get(stream.uid)
    return streamBefore !== undefined && JSON.stringify(streamBefore) === JSON.stringify(stream) ? streamBefore : stream
  })
  const pageBefore = known[page]
  const isSame = pageBefore?.length === streams.length && pageBefore.every((stream, index) => stream === streams[index])
  if (before !== null && isSame) return before
  return { total, pageSize, pages: { ...known, [page]: streams } }
}

/** Corrects the replies of servers that don't report lengths, send all streams at once, or ignore the filter. */
function corrected(
  { items, total, pageSize }: StreamsPage,
  page: number,
  query: StreamsQuery,
  before: Listing | null,
): { items: readonly Stream[]; total: number; pageSize: number } {
  const size = actualPageSize({ items, total, pageSize }, page, before)
  const length = Math.max(0, total, items.length === 0 ? 0 : (page - 1) * size + items.length)
  if (page !== 1 || length > items.length) return { items, total: length, pageSize: size }
  const matching = items.filter(
    (stream) => matchesSearch(stream, query.searchingValues) && (!query.isOnlyAvailable || hasAvailableStatus(stream)),
  )
  return { items: matching, total: matching.length, pageSize: size }
}

/** By the number of streams on the first page, as the server may send fewer than the page size that it reports. */
function actualPageSize(
  { items, total, pageSize }: Pick<StreamsPage, 'items' | 'total' | 'pageSize'>,
  page: number,
  before: Listing | null,
): number {
  if (page !== 1 && before !== null) return before.pageSize
  const hasMorePages = page === 1 && items.length > 0 && total > items.length
  return hasMorePages ? items.length : Math.max(1, pageSize, items.length)
}

export const pageCount = ({ total, pageSize }: Listing): number => Math.ceil(total / pageSize)

export const pageOf = ({ pageSize }: Listing, index: number): number => Math.floor(index / pageSize) + 1

export const streamAt = (listing: Listing, index: number): Stream | undefined =>
  listing.pages[pageOf(listing, index)]?.[index % listing.pageSize]

const collected = new WeakMap<Listing, readonly Stream[]>()

/** The streams of the loaded pages, in the order of the list; the same array for the same listing. */
export function loadedStreams(listing: Listing): readonly Stream[] {
  const cached = collected.get(listing)
  if (cached !== undefined) return cached
  const streams = Object.keys(listing.pages)
    .map(Number)
    .toSorted((one, other) => one - other)
    .flatMap((page) => listing.pages[page] ?? [])
  collected.set(listing, streams)
  return streams
}

export const withStatus = (listing: Listing, uid: string, status: string): Listing => {
  const known = loadedStreams(listing).find((stream) => stream.uid === uid)
  return known === undefined ? listing : withStreams(listing, [{ ...known, status: status || known.status }])
}

export function withStreams(listing: Listing, streams: readonly Stream[]): Listing {
  const changed = new Map(streams.map((stream) => [stream.uid, stream]))
  const pages = Object.fromEntries(
    Object.entries(listing.pages).map(([page, known]) => [
      page,
      known.some(({ uid }) => changed.has(uid)) ? known.map((stream) => changed.get(stream.uid) ?? stream) : known,
    ]),
  )
  return { ...listing, pages }
}
