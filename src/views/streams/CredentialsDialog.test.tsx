// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { streamOf } from '../../../tests/fixtures/replies.ts'
import { supplement } from '../../../tests/views/supplement.ts'
import { activate, i18n, loadMessages } from '../../i18n/i18n.ts'
import { bulkMachine } from '../../machines/streams/bulk.machine.ts'
import { overlays } from '../ui/overlays.ts'
import { BulkBar } from './BulkBar.tsx'

beforeAll(async () => {
  await overlays.load()
})

beforeEach(supplement)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the login and password of the selected streams are set from the bar, which says what was skipped', async () => {
  await activate('en')
  await loadMessages('pages')
  const ignored = () => undefined
  const bulk = createActor(bulkMachine.provide({ actions: { reportChanged: ignored, reportEnded: ignored } })).start()
  const demo = streamOf({ uid: 'demo', streamSource: 'demo:gate' })
  bulk.send({ type: 'choice.extended', streams: [demo] })
  const all = { isPossible: false, areAllChosen: true, count: 1, chooseAll: ignored }
  render(
    <I18nProvider i18n={i18n}>
      <BulkBar bulk={bulk} all={all} />
    </I18nProvider>,
  )
  const press = (name: string) => act(() => void fireEvent.click(screen.getByRole('button', { name })))
  press('Login and password…')
  expect(screen.getByRole('button', { name: 'Remove' })).toBeDefined()
  fireEvent.submit(screen.getByLabelText('Login'))
  expect(bulk.getSnapshot().context.job).toBeNull()
  fireEvent.change(screen.getByLabelText('Login'), { target: { value: 'ann' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'x' } })
  press('Apply')
  expect(bulk.getSnapshot().context.job).toEqual({ kind: 'credentials', login: 'ann', password: 'x' })
  const reply = { ok: true, value: demo, retryAfterSeconds: null } as const
  act(() => bulk.send({ type: 'work.ended', uid: 'demo', reply }))
  expect(screen.getByRole('status').textContent).toBe('1 selected0 of 1 done · 1 skipped')
  press('Results')
  expect(screen.getByTitle('Skipped: its sources take no login')).toBeDefined()
  bulk.stop()
})
