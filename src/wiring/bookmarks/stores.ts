import { browserBookmarks } from '../../api/browser/bookmarks.ts'
import { type BookmarkStore, serverBookmarks } from '../../api/resources/bookmarks.ts'
import type { BookmarkLocation } from '../../machines/bookmarks/bookmark-location.ts'

export const storeOf = (bookmarkLocation: BookmarkLocation): BookmarkStore =>
  bookmarkLocation.kind === 'server' ? serverBookmarks : browserBookmarks(bookmarkLocation.login)
