import { sectionsOf } from './grouping.ts'
import { type Layout, entriesOf, geometryOf, layoutOf } from './layout.ts'
import { hasAvailableStatus, type Listing, pageCount, pageOf } from './listing.ts'
import type { PreviewSubject } from './previews.machine.ts'
import type { StreamsContext } from './streams.events.ts'

/** What decides which part of the list is visible, and so which pages and previews it needs. */
type Visible = Pick<StreamsContext, 'listing' | 'view' | 'viewport' | 'isOutdated'>

/** How many pages are fetched at a time. */
const maxConcurrent = 3

/** The list as it is laid out now; null before the first answer. */
function layoutIn({ listing, view, viewport }: Pick<Visible, 'listing' | 'view' | 'viewport'>): Layout | null {
  if (listing === null) return null
  return layoutOf(listing, sectionsOf(listing, view.groupType), geometryOf(view.viewModeKey, viewport.width))
}

/** The missing pages of what is in sight, then of a screen above and below; page 1 before anything is known. */
export function missingPages({ listing, view, viewport, isOutdated }: Visible): number[] {
  const layout = layoutIn({ listing, view, viewport })
  if (listing === null || layout === null || isOutdated) return [1]
  const { top, height } = viewport
  const inSight = pagesWithin(listing, layout, top, top + height)
  const around = pagesWithin(listing, layout, top - height, top + 2 * height)
  return [...new Set([...inSight, ...around])]
    .filter((page) => listing.pages[page] === undefined)
    .slice(0, maxConcurrent)
}

function pagesWithin(listing: Listing, layout: Layout, from: number, to: number): number[] {
  const pages = new Set<number>()
  for (const row of layout.rowsWithin(from, to)) {
    if (row.kind !== 'items') continue
    if (row.section.kind === 'all') for (const entry of entriesOf(row)) pages.add(pageOf(listing, entry))
    if (row.section.kind === 'rest') for (const page of nextPages(listing)) pages.add(page)
  }
  return [...pages]
}

/** The first missing pages, as the streams that aren't loaded yet come in the server's order. */
function nextPages(listing: Listing): number[] {
  const all = Array.from({ length: pageCount(listing) }, (_, index) => index + 1)
  return all.filter((page) => listing.pages[page] === undefined).slice(0, maxConcurrent)
}

const maxRefreshed = 6

/** Pages in sight to fetch again, a few at a time, those refreshed longest ago first. */
export function pagesToRefresh(visible: Visible & Pick<StreamsContext, 'refreshed'>): number[] {
  const turns = new Map(visible.refreshed.map((page, turn) => [page, turn]))
  return pagesInSight(visible)
    .toSorted((one, other) => (turns.get(one) ?? -1) - (turns.get(other) ?? -1))
    .slice(0, maxRefreshed)
}

/** An empty list is its first page, which may get streams. */
export function pagesInSight({ listing, view, viewport }: Visible): number[] {
  if (listing === null) return []
  if (listing.total === 0) return [1]
  const uids = new Set(streamsInSight({ listing, view, viewport }).map(({ uid }) => uid))
  return Object.entries(listing.pages)
    .filter(([, streams]) => streams.some(({ uid }) => uids.has(uid)))
    .map(([page]) => Number(page))
}

function streamsInSight(visible: Pick<Visible, 'listing' | 'view' | 'viewport'>) {
  const layout = layoutIn(visible)
  if (layout === null) return []
  const { top, height } = visible.viewport
  return layout
    .rowsWithin(top, top + height)
    .flatMap(entriesOf)
    .map((entry) => layout.entryAt(entry)?.stream)
    .filter((stream) => stream !== undefined)
}

export function picturesInSight(visible: Pick<Visible, 'listing' | 'view' | 'viewport'>): PreviewSubject[] {
  if (visible.viewport.height === 0 || geometryOf(visible.view.viewModeKey, visible.viewport.width).kind === 'table')
    return []
  const subjects = new Map(
    streamsInSight(visible).map((stream) => [stream.uid, { uid: stream.uid, isMoving: hasAvailableStatus(stream) }]),
  )
  return [...subjects.values()]
}
