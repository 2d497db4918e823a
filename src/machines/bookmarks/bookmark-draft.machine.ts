import { sendTo, setup } from 'xstate'
import type { Bookmark } from '../../api/contract/system.ts'
import type { FormReport } from '../form/form.events.ts'
import { previewsMachine } from '../streams/previews.machine.ts'
import { type BookmarkLocation, type NoteValues, noteFormMachine, previewKey } from './bookmark-location.ts'

/** `at` is epoch milliseconds, `zone` an IANA name. */
export interface BookmarkDraftInput {
  readonly streamId: string
  readonly at: number
  readonly zone: string
  readonly bookmarkLocation: BookmarkLocation
}

/** Creates a bookmark of a moment: shows its picture and a form for the note. Ends once it is saved. */
export const bookmarkDraftMachine = setup({
  types: {
    context: {} as BookmarkDraftInput,
    events: {} as FormReport<NoteValues, Bookmark>,
    input: {} as BookmarkDraftInput,
    children: {} as { form: 'form'; previews: 'previews' },
  },
  actors: { form: noteFormMachine, previews: previewsMachine },
  actions: {
    /** `isMoving`: requested repeatedly, as a very recent moment has no preview yet. */
    requestPreview: sendTo('previews', ({ context }) => ({
      type: 'previews.requested' as const,
      subjects: [{ uid: previewKey(context), isMoving: true }],
    })),
  },
}).createMachine({
  id: 'bookmarkDraft',
  context: ({ input }) => input,
  initial: 'open',
  states: {
    open: {
      entry: 'requestPreview',
      invoke: [
        { id: 'previews', src: 'previews' },
        {
          id: 'form',
          src: 'form',
          input: ({ context: { bookmarkLocation, streamId, at } }) => ({
            facts: null,
            values: { bookmarkLocation, subject: { streamId, at }, note: '' },
          }),
        },
      ],
      on: { 'form.saved': 'kept' },
    },
    kept: { type: 'final' },
  },
})
