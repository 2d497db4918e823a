import { sectionsOf } from './grouping.ts'
import { type Layout, entriesOf, geometryOf, layoutOf } from './layout.ts'
import { type Listing, pageCount, pageOf } from './listing.ts'
import type { PreviewSubject } from './previews.machine.ts'
import { isAvailable } from './listing.ts'
import type { StreamsContext } from './streams.events.ts'

/** What of the list is looked at, and so which pages and pictures are wanted. */

type Looked = Pick<StreamsContext, 'listing' | 'view' | 'viewport' | 'isOutdated'>

const maxConcurrent = 3

/** The list as it is laid out now; null before the first answer. */
export function layoutIn({ listing, view, viewport }: Pick<Looked, 'listing' | 'view' | 'viewport'>): Layout | null {
  if (listing === null) return null
  return layoutOf(listing, sectionsOf(listing, view.groupType), geometryOf(view.viewModeKey, viewport.width))
}

/** Pages to load for the visible rows and a screen around them, the nearest first; page 1 before anything is known. */
export function missingPages({ listing, view, viewport, isOutdated }: Looked): number[] {
  const layout = layoutIn({ listing, view, viewport })
  if (listing === null || layout === null || isOutdated) return [1]
  const { top, height } = viewport
  const wanted = pagesWithin(listing, layout, top, top + height)
  const around = pagesWithin(listing, layout, top - height, top + 2 * height)
  return [...new Set([...wanted, ...around])]
    .filter((page) => listing.pages[page] === undefined)
    .slice(0, maxConcurrent)
}

function pagesWithin(listing: Listing, layout: Layout, from: number, to: number): number[] {
  const pages = new Set<number>()
  for (const { kind, section, first, count } of layout.rowsWithin(from, to)) {
    if (kind !== 'items') continue
    if (section.kind === 'all') for (const entry of [first, first + count - 1]) pages.add(pageOf(listing, entry))
    if (section.kind === 'rest') for (const page of nextPages(listing)) pages.add(page)
  }
  return [...pages]
}

/** Groups grow in the server's order: the first pages that are not there yet. */
function nextPages(listing: Listing): number[] {
  const all = Array.from({ length: pageCount(listing) }, (_, index) => index + 1)
  return all.filter((page) => listing.pages[page] === undefined).slice(0, maxConcurrent)
}

const maxRefreshed = 6

/** Pages in sight, asked for again; where groups gather many pages a few at a time, the oldest first. */
export function pagesToRefresh(looked: Looked & Pick<StreamsContext, 'refreshed'>): number[] {
  const since = new Map(looked.refreshed.map((page, turn) => [page, turn]))
  return pagesInSight(looked)
    .toSorted((one, other) => (since.get(one) ?? -1) - (since.get(other) ?? -1))
    .slice(0, maxRefreshed)
}

export function pagesInSight({ listing, view, viewport }: Looked): number[] {
  const uids = new Set(streamsInSight({ listing, view, viewport }).map(({ uid }) => uid))
  if (listing === null) return []
  return Object.entries(listing.pages)
    .filter(([, streams]) => streams.some(({ uid }) => uids.has(uid)))
    .map(([page]) => Number(page))
}

function streamsInSight(looked: Pick<Looked, 'listing' | 'view' | 'viewport'>) {
  const layout = layoutIn(looked)
  if (layout === null) return []
  const { top, height } = looked.viewport
  return layout
    .rowsWithin(top, top + height)
    .flatMap(entriesOf)
    .map((entry) => layout.entryAt(entry)?.stream)
    .filter((stream) => stream !== undefined)
}

export function picturesInSight(looked: Pick<Looked, 'listing' | 'view' | 'viewport'>): PreviewSubject[] {
  if (looked.viewport.height === 0 || geometryOf(looked.view.viewModeKey, looked.viewport.width).kind === 'table')
    return []
  const subjects = new Map(
    streamsInSight(looked).map((stream) => [stream.uid, { uid: stream.uid, isMoving: isAvailable(stream) }]),
  )
  return [...subjects.values()]
}
