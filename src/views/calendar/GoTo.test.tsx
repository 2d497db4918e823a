// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { GoTo } from './GoTo.tsx'

const now = Date.UTC(2026, 10, 21, 14, 5, 3)

afterEach(cleanup)

test.each([
  ['2026-11-21 14:05:03', '', [now]],
  ['2026-11-21 14:05:04', "This time hasn't come yet", []],
  ['yesterday', 'Enter the time like 2026-11-21 14:05:03', []],
])('the typed moment %s is reported, or its error: “%s”', async (text, error, moments) => {
  await activate('en')
  await loadMessages('pages')
  const reported: number[] = []
  const { getByRole } = render(
    <I18nProvider i18n={i18n}>
      <GoTo at={0} zone="UTC" readNow={() => now} onGo={(at) => reported.push(at)} />
    </I18nProvider>,
  )
  fireEvent.change(getByRole('textbox', { name: 'Go to' }), { target: { value: text } })
  fireEvent.click(getByRole('button', { name: 'Go' }))
  expect([getByRole('status', { hidden: true }).textContent, reported]).toEqual([error, moments])
})
