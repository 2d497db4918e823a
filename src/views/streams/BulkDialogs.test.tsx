// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { noAnswer, streamOf } from '../../../tests/fixtures/replies.ts'
import { activate, i18n, loadMessages } from '../../i18n/i18n.ts'
import { bulkMachine } from '../../machines/streams/bulk.machine.ts'
import { overlays } from '../ui/overlays.ts'
import { BulkLockedDialog, BulkRemovalDialog } from './BulkDialogs.tsx'
import { Outcome } from './Outcome.tsx'

beforeAll(async () => {
  await overlays.load()
})

beforeEach(() => void vi.stubGlobal('CSS', { escape: (value: string) => value }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const own = "All its recordings are deleted. This can't be undone."
const all = "All their recordings are deleted. This can't be undone."

test.each([
  ['a recorded stream', [true], own],
  ['a stream that is no longer recorded, but has an archive', [false], own],
  ['recorded streams', [true, true], all],
  ['streams that are no longer recorded, but have archives', [false, false], all],
])('the deletion of %s warns that the archive is deleted, too', async (_name, recorded, warning) => {
  await activate('en')
  await loadMessages('pages')
  const bulk = createActor(bulkMachine).start()
  const streams = recorded.map((isEnable, index) => streamOf({ uid: `cam-${index}`, archive: { isEnable } }))
  bulk.send({ type: 'choice.extended', streams })
  bulk.send({ type: 'removal.requested' })
  render(
    <I18nProvider i18n={i18n}>
      <BulkRemovalDialog bulk={bulk} />
    </I18nProvider>,
  )
  const box = screen.getByRole('checkbox', { checked: true })
  expect(document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent).toBe(warning)
  bulk.stop()
})

test.each([
  ['one stream', 1, 'Delete locked recordings of “Camera 0”?', ['Camera 0: Theft, Fire']],
  ['two streams', 2, 'Delete locked recordings of 2 streams?', ['Camera 0: Theft, Fire', 'Camera 1: Theft, Fire']],
])('the locked recordings of %s are named, and deleted only if this is selected', async (...given) => {
  const [, count, title, named] = given
  await activate('en')
  await loadMessages('pages')
  const details = { locks: [{ reason: 'Theft' }, { reason: 'Fire' }] }
  const apiError = { ...noAnswer, status: 409, code: 'ActionNotAcceptable', details }
  const bulk = createActor(bulkMachine.provide({ actions: { reportEnded: () => undefined } })).start()
  const streams = Array.from({ length: count }, (_, index) =>
    streamOf({ uid: `cam-${index}`, name: `Camera ${index}` }),
  )
  bulk.send({ type: 'choice.extended', streams })
  bulk.send({ type: 'removal.requested' })
  bulk.send({ type: 'removal.confirmed' })
  for (const { uid } of streams) bulk.send({ type: 'work.ended', uid, reply: { ok: false, apiError } })
  render(
    <I18nProvider i18n={i18n}>
      <Outcome outcome={bulk.getSnapshot().context.outcomes.get('cam-0') ?? 'waiting'} />
      <BulkLockedDialog bulk={bulk} />
    </I18nProvider>,
  )
  expect(screen.getByTitle('Locked: Theft, Fire').textContent).toBe('Locked: Theft, Fire')
  screen.getByRole('alertdialog', { name: title })
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(named)
  const pressDelete = () => act(() => void fireEvent.click(screen.getByRole('button', { name: 'Delete' })))
  pressDelete()
  expect(bulk.getSnapshot().value).toBe('confirmingLocked')
  fireEvent.click(screen.getByRole('checkbox'))
  pressDelete()
  expect(bulk.getSnapshot().value).toBe('working')
  bulk.stop()
})
