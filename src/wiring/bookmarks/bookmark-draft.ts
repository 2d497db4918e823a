import { fromPromise } from 'xstate'
import { getPreviewAt } from '../../api/resources/archive.ts'
import { bookmarkDraftMachine } from '../../machines/bookmarks/bookmark-draft.machine.ts'
import { momentOfKey, noteFormMachine } from '../../machines/bookmarks/bookmark-location.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { createPreviews } from '../shared/previews.ts'

/** Loaded on demand: the stores check bookmarks with zod, which no first screen loads. */
export const loadStores = () => import('./stores.ts')

export const createMomentPreviews = () =>
  createPreviews((key, signal) => {
    const { streamId, at } = momentOfKey(key)
    return getPreviewAt(streamId, at, signal)
  })

export const noteForm = noteFormMachine.provide({
  actors: {
    submit: fromPromise(async ({ input: { values }, signal }) => {
      const { bookmarkLocation, subject } = values
      const note = values.note.trim()
      const store = (await loadStores()).storeOf(bookmarkLocation)
      return 'id' in subject
        ? store.change(subject.id, { note }, signal)
        : store.add({ streamId: subject.streamId, time: new Date(subject.at).toISOString(), note }, signal)
    }),
    watchLeaving,
  },
})

export const bookmarkDraft = bookmarkDraftMachine.provide({
  actors: { form: noteForm, previews: createMomentPreviews() },
})
