import type { Bookmark } from '../../api/contract/system.ts'

/** The names of streams by uid; null: the stream is gone, or may not be seen. */
export type StreamNames = ReadonlyMap<string, string | null>

export const streamName = (names: StreamNames, streamId: string): string => names.get(streamId) || streamId

interface Searched {
  bookmarks: readonly Bookmark[]
  names: StreamNames
  query: string
}

/** By a part of the note or of the stream's name, whatever the case; the newest moment first. */
export function shownBookmarks({ bookmarks, names, query }: Searched): readonly Bookmark[] {
  const part = query.trim().toLowerCase()
  const has = ({ streamId, note }: Bookmark) =>
    [note, streamName(names, streamId)].some((text) => text.toLowerCase().includes(part))
  return bookmarks.filter(has).toSorted((one, other) => other.time - one.time || one.id.localeCompare(other.id))
}
