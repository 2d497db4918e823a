// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patience } from '../../../tests/fixtures/patience.ts'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { overlays } from '../ui/overlays.ts'
import { shortcuts, ShortcutsDialog } from './ShortcutsDialog.tsx'

/** The reach of the keys, and a path; the server wasn't updated. */
vi.mock('../app/console.ts', () => ({
  useApp: ({ name }: { name: string }) => name !== 'selectIsServerUpdated' && 'page',
  useConsole: () => ({}),
}))

/** React Aria needs it, and jsdom lacks it. */
beforeEach(() => void vi.stubGlobal('CSS', { escape: (value: string) => value }))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('if its code can not be loaded, the page stays, and a second attempt loads it', async () => {
  await activate('en')
  await loadMessages('pages')
  await overlays.load()
  vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined)
  vi.spyOn(shortcuts, 'load').mockRejectedValueOnce(new Error('no connection'))
  const { getByText, findByText, findByRole } = render(
    <I18nProvider i18n={i18n}>
      <p>The page</p>
      <ShortcutsDialog />
    </I18nProvider>,
  )
  fireEvent.keyDown(document.body, { key: '?' })
  await findByText('This page could not be loaded', {}, patience)
  expect(getByText('The page')).toBeTruthy()
  fireEvent.click(await findByRole('button', { name: 'Retry' }, patience))
  await findByText('Anywhere', {}, patience)
})

test('what has keys of its own keeps this one, too', async () => {
  await activate('en')
  await overlays.load()
  const { getByRole, queryByRole } = render(
    <I18nProvider i18n={i18n}>
      <input aria-label="Name" />
      <div role="alertdialog" tabIndex={-1} />
      <div role="menu" tabIndex={-1} />
      <ShortcutsDialog />
    </I18nProvider>,
  )
  for (const role of ['textbox', 'alertdialog', 'menu']) fireEvent.keyDown(getByRole(role), { key: '?' })
  expect(queryByRole('dialog')).toBeNull()
})
