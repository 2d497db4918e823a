// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { activate, i18n } from '../../i18n/i18n.ts'
import { overlays } from '../ui/overlays.ts'
import { FormDialog } from './FormDialog.tsx'

/** React Aria needs it, and jsdom lacks it. */
beforeEach(() => void vi.stubGlobal('CSS', { escape: (value: string) => value }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('while the form is being sent, nothing closes the dialog: only the answer says what was done', async () => {
  await activate('en')
  await overlays.load()
  const onClose = vi.fn()
  const show = (isBusy: boolean) => (
    <I18nProvider i18n={i18n}>
      <FormDialog title="Lock" form="lock" submitLabel="Lock" isBusy={isBusy} onClose={onClose}>
        <form id="lock" />
      </FormDialog>
    </I18nProvider>
  )
  const { getByRole, findByRole, rerender } = render(show(true))
  await findByRole('dialog')
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  fireEvent.keyDown(getByRole('dialog'), { key: 'Escape' })
  expect(onClose).not.toHaveBeenCalled()
  rerender(show(false))
  fireEvent.keyDown(getByRole('dialog'), { key: 'Escape' })
  expect(onClose).toHaveBeenCalledTimes(1)
  fireEvent.click(getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenCalledTimes(2)
})
