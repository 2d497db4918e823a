import type * as z from 'zod/mini'
import { call, pathSegment } from '../call.ts'
import { validationError } from '../check.ts'
import { Bookmark, BookmarkBody, BookmarkPatch, Bookmarks } from '../contract/system.ts'
import { nothing } from '../contract/wire.ts'
import { mapReply } from '../map-reply.ts'
import type { Reply } from '../reply.ts'

/** The bookmarks of one user, stored by the server or by this browser (src/api/browser/bookmarks.ts). */
export interface BookmarkStore {
  list: (signal?: AbortSignal) => Promise<Reply<readonly Bookmark[]>>
  /** `time` is RFC 3339. A note of more than 2000 characters is a ValidationError. */
  add: (body: z.input<typeof BookmarkBody>, signal?: AbortSignal) => Promise<Reply<Bookmark>>
  change: (id: string, patch: z.input<typeof BookmarkPatch>, signal?: AbortSignal) => Promise<Reply<Bookmark>>
  remove: (id: string, signal?: AbortSignal) => Promise<Reply<object>>
}

const pathOf = (id: string) => `/v1/bookmark/${pathSegment(id)}`

/** Only with the feature `bookmarks`. */
export const serverBookmarks: BookmarkStore = {
  list: async (signal) => mapReply(await call(Bookmarks, { path: '/v1/bookmarks', signal }), ({ items }) => items),
  add: async (body, signal) =>
    validationError(BookmarkBody, body) ?? call(Bookmark, { path: '/v1/bookmarks', method: 'POST', body, signal }),
  change: async (id, body, signal) =>
    validationError(BookmarkPatch, body) ?? call(Bookmark, { path: pathOf(id), method: 'PATCH', body, signal }),
  remove: (id, signal) => call(nothing, { path: pathOf(id), method: 'DELETE', signal }),
}
