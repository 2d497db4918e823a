import type { Bookmark } from '../../api/contract/system.ts'

/** Names of streams by uid; null: the stream doesn't exist any more, or the user may not view it. */
export type StreamNames = ReadonlyMap<string, string | null>

export const streamName = (names: StreamNames, streamId: string): string => names.get(streamId) || streamId

interface Searched {
  bookmarks: readonly Bookmark[]
  names: StreamNames
  query: string
}

/** The bookmarks whose note or stream name contains the query, in any case; newest moment first. */
export function shownBookmarks({ bookmarks, names, query }: Searched): readonly Bookmark[] {
  const part = query.trim().toLowerCase()
  const has = ({ streamId, note }: Bookmark) =>
    [note, streamName(names, streamId)].some((text) => text.toLowerCase().includes(part))
  return bookmarks.filter(has).toSorted((one, other) => other.time - one.time || one.id.localeCompare(other.id))
}
