import type { Stream } from '../../api/contract/stream.ts'
import { type Listing, loadedStreams } from './listing.ts'

/**
 * How many streams of the list can be selected: those that the user may administer. Null until that is known, as
 * only administrators may administer streams that aren't loaded.
 */
export function choosableCount(listing: Listing, isAdmin: boolean): number | null {
  if (isAdmin) return listing.total
  const loaded = loadedStreams(listing)
  return loaded.length < listing.total ? null : loaded.filter(({ meta }) => meta.canAdmin).length
}

/** Whether any loaded stream can be selected. */
export const hasChoosable = (listing: Listing, isAdmin: boolean): boolean =>
  isAdmin ? listing.total > 0 : loadedStreams(listing).some(({ meta }) => meta.canAdmin)

/** Whether all selectable streams are selected; those of pages that aren't loaded are only counted. */
export function areAllChosen(listing: Listing, chosen: ReadonlyMap<string, Stream>, isAdmin: boolean): boolean {
  const count = choosableCount(listing, isAdmin)
  if (count === null || count === 0 || chosen.size < count) return false
  return loadedStreams(listing).every(({ uid, meta }) => chosen.has(uid) || !(isAdmin || meta.canAdmin))
}
