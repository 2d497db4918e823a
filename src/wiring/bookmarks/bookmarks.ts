import { fromCallback, fromPromise } from 'xstate'
import { watchBrowserBookmarks } from '../../api/browser/bookmarks.ts'
import { watchVisibility } from '../../api/browser/visibility.ts'
import { getStream } from '../../api/resources/stream.ts'
import { type BookmarksEvent, bookmarksMachine } from '../../machines/bookmarks/bookmarks.machine.ts'
import type { BookmarkLocation } from '../../machines/bookmarks/bookmark-location.ts'
import { BookmarksPage } from '../../views/bookmarks/BookmarksPage.tsx'
import { createMomentPreviews, noteForm } from './bookmark-draft.ts'
import { storeOf } from './stores.ts'
import { definePage } from '../page.ts'
import { zoneShown } from '../shared/zone.ts'

const maxConcurrent = 6

const nameStreams = fromCallback<BookmarksEvent, { uids: readonly string[] }>(({ input, sendBack }) => {
  const controller = new AbortController()
  const { signal } = controller
  const queue = [...input.uids]
  const work = async () => {
    for (let uid = queue.shift(); uid !== undefined && !signal.aborted; uid = queue.shift()) {
      const reply = await getStream(uid, { extendLease: false }, signal)
      if (reply.ok) sendBack({ type: 'stream.named', uid, name: reply.value.name.trim() })
      else if ([403, 404].includes(reply.apiError.status)) sendBack({ type: 'stream.named', uid, name: null })
    }
  }
  for (let worker = 0; worker < maxConcurrent; worker += 1) work().catch(() => undefined)
  return () => controller.abort()
})

const watchForChanges = fromCallback<BookmarksEvent, { bookmarkLocation: BookmarkLocation }>(
  ({ input: { bookmarkLocation }, sendBack }) => {
    const report = () => sendBack({ type: 'list.outdated' })
    return bookmarkLocation.kind === 'browser'
      ? watchBrowserBookmarks(report)
      : watchVisibility((hidden) => (hidden ? undefined : report()))
  },
)

export const page = definePage({
  logic: bookmarksMachine.provide({
    actors: {
      form: noteForm,
      previews: createMomentPreviews(),
      fetchBookmarks: fromPromise(async ({ input: { bookmarkLocation, serverZone }, signal }) => ({
        reply: await storeOf(bookmarkLocation).list(signal),
        zone: zoneShown(serverZone),
      })),
      deleteBookmark: fromPromise(({ input: { bookmarkLocation, id }, signal }) =>
        storeOf(bookmarkLocation).remove(id, signal),
      ),
      nameStreams,
      watchForChanges,
    },
  }),
  View: BookmarksPage,
})
