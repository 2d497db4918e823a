// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { noAnswer, ok, streamOf } from '../../../tests/fixtures/replies.ts'
import { patience } from '../../../tests/fixtures/patience.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { activate, i18n, loadMessages } from '../../i18n/i18n.ts'
import { removalMachine } from '../../machines/stream-pages/removal.machine.ts'
import { overlays } from '../ui/overlays.ts'
import { RemovalDialog } from './RemovalDialog.tsx'

beforeAll(async () => {
  await overlays.load()
  await activate('en')
  await loadMessages('pages')
})

beforeEach(() => void vi.stubGlobal('CSS', { escape: (value: string) => value }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const locked: Reply<object> = {
  ok: false,
  apiError: { ...noAnswer, status: 409, code: 'ActionNotAcceptable', details: { locks: [{ reason: 'Theft' }] } },
}

test('a second press on Delete is no confirmation for locked recordings, which need a checkbox', async () => {
  const unlocks: boolean[] = []
  const none = () => undefined
  const machine = removalMachine.provide({
    actors: {
      remove: fromPromise(async ({ input: { unlock } }) => {
        unlocks.push(unlock)
        return unlock ? ok({}) : locked
      }),
    },
    actions: { notifyStarted: none, notifyStopped: none, notifyRemoved: none },
  })
  const actor = createActor(machine, { input: { uid: 'gate' } }).start()
  actor.send({ type: 'removal.requested' })
  render(
    <I18nProvider i18n={i18n}>
      <RemovalDialog actor={actor} stream={streamOf({ name: 'Gate' })} coverage={null} />
    </I18nProvider>,
  )
  const press = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
    await act(settle)
  }
  screen.getByRole('button', { name: 'Delete' }).focus()
  await press()
  const dialog = screen.getByRole('alertdialog', { name: 'Delete locked recordings of “Gate”?' })
  // After a press that is no pointer's React Aria moves the focus in the next frame.
  await vi.waitFor(() => expect(document.activeElement).toBe(dialog), patience)
  await press()
  expect(unlocks).toEqual([false])
  fireEvent.click(screen.getByRole('checkbox', { name: 'Delete the locked recordings, too' }))
  await press()
  expect(unlocks).toEqual([false, true])
  actor.stop()
})
