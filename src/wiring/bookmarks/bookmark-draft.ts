import { fromPromise } from 'xstate'
import { browserBookmarks } from '../../api/browser/bookmarks.ts'
import { getPreviewAt } from '../../api/resources/archive.ts'
import { type BookmarkStore, serverBookmarks } from '../../api/resources/bookmarks.ts'
import { bookmarkDraftMachine } from '../../machines/bookmarks/bookmark-draft.machine.ts'
import { type BookmarkLocation, momentOfKey, noteFormMachine } from '../../machines/bookmarks/bookmark-location.ts'
import { createPreviews } from '../shared/previews.ts'

export const storeOf = (bookmarkLocation: BookmarkLocation): BookmarkStore =>
  bookmarkLocation.kind === 'server' ? serverBookmarks : browserBookmarks(bookmarkLocation.login)

export const createMomentPreviews = () =>
  createPreviews((key, signal) => {
    const { streamId, at } = momentOfKey(key)
    return getPreviewAt(streamId, at, signal)
  })

export const noteForm = noteFormMachine.provide({
  actors: {
    submit: fromPromise(({ input: { values }, signal }) => {
      const { bookmarkLocation, subject } = values
      const note = values.note.trim()
      const store = storeOf(bookmarkLocation)
      return 'id' in subject
        ? store.change(subject.id, { note }, signal)
        : store.add({ streamId: subject.streamId, time: new Date(subject.at).toISOString(), note }, signal)
    }),
  },
})

export const bookmarkDraft = bookmarkDraftMachine.provide({
  actors: { form: noteForm, previews: createMomentPreviews() },
})
