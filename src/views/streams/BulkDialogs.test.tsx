// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { streamOf } from '../../../tests/fixtures/replies.ts'
import { activate, i18n, loadMessages } from '../../i18n/i18n.ts'
import { bulkMachine } from '../../machines/streams/bulk.machine.ts'
import { overlays } from '../ui/overlays.ts'
import { BulkRemovalDialog } from './BulkDialogs.tsx'

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
