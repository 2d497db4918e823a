// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { activate, i18n, loadMessages } from '../../i18n/i18n.ts'
import { lockEach } from '../../machines/locks/lock-each.ts'
import { mosaicLockFormMachine, mosaicLockMachine } from '../../machines/locks/mosaic-lock.machine.ts'
import { overlays } from '../ui/overlays.ts'
import { MosaicLockDialog } from './MosaicLockDialog.tsx'

beforeAll(async () => {
  await Promise.all([overlays.load(), loadMessages('shell'), loadMessages('video'), loadMessages('pages')])
})
beforeEach(() => {
  vi.stubGlobal('CSS', { escape: (value: string) => value })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The dialog for two cameras that the user may lock, of which the server refuses Yard at first, and one they may not. */
async function open(language: string) {
  await activate(language)
  const replies = [ok({}), refused(403, 'Forbidden'), ok({})]
  const asked: string[] = []
  const clock = new SimulatedClock()
  const actor = createActor(
    mosaicLockMachine.provide({
      actors: {
        form: mosaicLockFormMachine.provide({
          actors: {
            submit: fromPromise(({ input: { values } }) =>
              lockEach(values.uids, async (uid) => {
                asked.push(`${uid} ${values.reason} ${values.days}`)
                return replies.shift() ?? ok({})
              }),
            ),
          },
        }),
      },
    }),
    { clock },
  ).start()
  actor.send({
    type: 'lock.requested',
    range: { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 9) },
    cameras: [
      { uid: 'gate', name: 'Gate', mayLock: true },
      { uid: 'yard', name: 'Yard', mayLock: true },
      { uid: 'hall', name: 'Hall', mayLock: false },
    ],
  })
  render(
    <I18nProvider i18n={i18n}>
      <MosaicLockDialog actor={actor} zone="UTC" />
    </I18nProvider>,
  )
  const rows = () =>
    screen.getAllByRole<HTMLInputElement>('checkbox').map(({ id, checked, disabled }) => {
      const [name, help] = [`label[for="${id}"]`, `#${id}-help`].map(
        (selector) => document.querySelector(selector)?.textContent,
      )
      return [name, checked, disabled, help]
    })
  const submit = (name: string) =>
    act(async () => {
      fireEvent.click(screen.getByRole('button', { name }))
      await settle()
      clock.increment(300)
      await settle()
    })
  return { asked, rows, submit }
}

test.each([
  {
    language: 'en',
    words: {
      title: 'Lock the recordings',
      lock: 'Lock',
      reason: 'Reason',
      expires: 'Expires',
      forbidden: 'Left out: you may not lock its recordings',
      locked: 'The recording is locked',
      refused: "You don't have access",
      status: ['2 cameras selected', '1 camera selectedLocked: 1 of 2'],
      empty: 'Select at least one camera.',
    },
  },
  {
    language: 'ru',
    words: {
      title: 'Запретить удаление записей',
      lock: 'Запретить удаление',
      reason: 'Причина',
      expires: 'Срок действия',
      forbidden: 'Недоступно: нет права запрещать удаление записей этой камеры',
      locked: 'Удаление записи запрещено',
      refused: 'У вас нет доступа',
      status: ['Выбрано 2 камеры', 'Выбрана 1 камераУдаление запрещено: 1 из 2'],
      empty: 'Выберите хотя бы одну камеру.',
    },
  },
])('in $language it says which cameras are locked, and locks those that are left', async ({ language, words }) => {
  const { asked, rows, submit } = await open(language)
  const status = () => screen.getByRole('status').textContent
  expect(screen.getByRole('dialog', { name: words.title })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText(words.reason))
  const before = { rows: rows(), status: status() }
  fireEvent.change(screen.getByLabelText(words.reason), { target: { value: 'Theft' } })
  fireEvent.change(screen.getByLabelText(words.expires), { target: { value: '90' } })
  await submit(words.lock)
  const after = { rows: rows(), status: status() }
  fireEvent.click(screen.getByLabelText('Yard'))
  await submit(words.lock)
  const empty = screen.getByRole('alert').textContent
  fireEvent.click(screen.getByLabelText('Yard'))
  await submit(words.lock)
  expect({ before, after, empty, asked, dialog: screen.queryByRole('dialog') }).toEqual({
    before: {
      rows: [
        ['Gate', true, false, undefined],
        ['Yard', true, false, undefined],
        ['Hall', false, true, words.forbidden],
      ],
      status: words.status[0],
    },
    after: {
      rows: [
        ['Gate', true, true, words.locked],
        ['Yard', true, false, words.refused],
        ['Hall', false, true, words.forbidden],
      ],
      status: words.status[1],
    },
    empty: words.empty,
    asked: ['gate Theft 90', 'yard Theft 90', 'yard Theft 90'],
    dialog: null,
  })
})
