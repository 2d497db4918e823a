import { fromCallback, fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import type { Bookmark } from '../../api/contract/system.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { FormReport } from '../form/form.events.ts'
import { previewsMachine } from '../streams/previews.machine.ts'
import { type BookmarkDraftInput, bookmarkDraftMachine } from './bookmark-draft.machine.ts'
import { type NoteValues, noteFormMachine } from './bookmark-location.ts'

const input: BookmarkDraftInput = {
  streamId: 'gate',
  at: 5000,
  zone: 'Europe/Berlin',
  bookmarkLocation: { kind: 'browser', login: 'ann' },
}
const kept: Bookmark = { id: 'b1', streamId: 'gate', time: 5000, note: 'the van' }
const values: NoteValues = {
  bookmarkLocation: input.bookmarkLocation,
  subject: { streamId: 'gate', at: 5000 },
  note: 'the van',
}

test('the moment is saved with its note, after an error that loses no input, and the player is notified', async () => {
  const answers = [refused(0, 'NotStored'), ok(kept)]
  const sent: NoteValues[] = []
  const pictures: string[] = []
  const page = openPage(
    bookmarkDraftMachine.provide({
      actors: {
        form: noteFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input: given }) => {
              sent.push(given.values)
              return answers.shift() ?? refused(500, '')
            }),
          },
        }),
        previews: previewsMachine.provide({
          actors: { fetchPreview: fromCallback(({ input: { uid } }) => void pictures.push(uid)) },
        }),
      },
    }),
    // The parent of the tests hands on what the machine is given as it is.
    Object.assign(pageInput(), input),
  )
  const { form } = page.ref.getSnapshot().children
  page.clock.increment(100)
  form.send({ type: 'form.edited', values: { note: 'the van' } })
  form.send({ type: 'form.submitted' })
  await settle()
  expect([form.getSnapshot().context.values.note, form.getSnapshot().context.errors, page.value()]).toEqual([
    'the van',
    { note: 'NotStored' },
    'open',
  ])
  form.send({ type: 'form.submitted' })
  await settle()
  expect({ sent, pictures, value: page.value(), status: page.ref.getSnapshot().status }).toEqual({
    sent: [values, values],
    pictures: ['5000 gate'],
    value: 'kept',
    status: 'done',
  })
})

test('every edge of the chart is walked', () => {
  const events = [{ type: 'form.saved', answer: kept, values }] satisfies FormReport<NoteValues, Bookmark>[]
  const nothing = () => undefined
  const { declared, covered, strayed } = walkEdges(bookmarkDraftMachine, {
    model: bookmarkDraftMachine.provide({ actions: { requestPreview: nothing } }),
    input,
    events,
    name: ({ value }) => JSON.stringify(value),
  })
  expect(strayed).toEqual([])
  expect(covered).toEqual(declared)
})
