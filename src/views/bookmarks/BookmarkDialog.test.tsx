// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createActor, createMachine, fromCallback, fromPromise, SimulatedClock } from 'xstate'
import type { Bookmark } from '../../api/contract/system.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { i18n } from '../../i18n/i18n.ts'
import { type BookmarkDraftInput, bookmarkDraftMachine } from '../../machines/bookmarks/bookmark-draft.machine.ts'
import { noteFormMachine } from '../../machines/bookmarks/bookmark-location.ts'
import { previewsMachine } from '../../machines/streams/previews.machine.ts'
import { overlays } from '../ui/overlays.ts'
import { BookmarkDialog } from './BookmarkDialog.tsx'

beforeAll(async () => {
  await overlays.load()
})

const at = Date.UTC(2026, 10, 21, 14, 5, 3)
const input: BookmarkDraftInput = {
  streamId: 'gate',
  at,
  zone: 'Europe/Berlin',
  bookmarkLocation: { kind: 'browser', login: 'ann' },
}
const kept: Bookmark = { id: 'b1', streamId: 'gate', time: at, note: 'the van' }

/** The dialog as the player opens it, in front of a store that gives these answers in turn. */
function open(answers: Reply<Bookmark>[]) {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  const received: string[] = []
  const draft = bookmarkDraftMachine.provide({
    actors: {
      form: noteFormMachine.provide({
        actors: { submit: fromPromise(async () => answers.shift() ?? refused(500, '')) },
      }),
      previews: previewsMachine.provide({
        actors: {
          fetchPreview: fromCallback(({ input: { uid }, sendBack }) =>
            sendBack({ type: 'preview.fetched', uid, url: 'blob:picture' }),
          ),
        },
      }),
    },
  })
  const clock = new SimulatedClock()
  const parent = createActor(
    createMachine({ invoke: { id: 'bookmark', src: draft, input, onDone: { actions: () => received.push('kept') } } }),
    { clock },
  ).start()
  const actor = parent.getSnapshot().children['bookmark']
  if (actor === undefined) throw new Error('the draft has no actor')
  const onClose = vi.fn<() => void>()
  const screen = render(
    <I18nProvider i18n={i18n}>
      <BookmarkDialog actor={actor} onClose={onClose} />
    </I18nProvider>,
  )
  return {
    ...screen,
    clock,
    received,
    onClose,
    submit: () =>
      act(async () => (fireEvent.submit(screen.getByRole('dialog').querySelector('form') ?? document.body), settle())),
  }
}

/** What React Aria asks of a browser and jsdom lacks. */
beforeEach(() => {
  vi.stubGlobal('CSS', { escape: (value: string) => value })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('says which moment it is, in its zone and with its picture, and waits for the note', () => {
  const { clock, getByRole } = open([])
  act(() => clock.increment(100))
  const dialog = getByRole('dialog', { name: 'Bookmark' })
  const time = dialog.querySelector('time')
  expect([time?.dateTime, time?.textContent, dialog.querySelector('img')?.getAttribute('src')]).toEqual([
    '2026-11-21T14:05:03.000Z',
    'Nov 21, 2026, 15:05:03 GMT+1',
    'blob:picture',
  ])
  expect(document.activeElement).toBe(getByRole('textbox', { name: 'Note' }))
})

test('an error is shown beside the note, which stays; once saved, the player hears of it', async () => {
  const { getByRole, received, submit } = open([refused(0, 'NotStored'), ok(kept)])
  const note = getByRole('textbox', { name: 'Note' })
  fireEvent.change(note, { target: { value: 'the van' } })
  await submit()
  expect([
    note.getAttribute('aria-invalid'),
    document.getElementById(`${note.id}-error`)?.textContent,
    received,
  ]).toEqual(['true', "This browser can't store the bookmark: its storage is full or not available to this page.", []])
  expect(note).toHaveProperty('value', 'the van')
  await submit()
  expect(received).toEqual(['kept'])
})

test('Cancel closes it', () => {
  const { getByRole, onClose } = open([])
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenCalledOnce()
})
