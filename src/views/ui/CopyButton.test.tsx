// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { CopyButton } from './CopyButton.tsx'

const copied: string[] = []
vi.mock('../app/console.ts', () => ({
  useConsole: () => ({
    copyText: async (text: string) => {
      copied.push(text)
      return true
    },
  }),
}))

afterEach(cleanup)

test('another text is not copied yet', async () => {
  await activate('en')
  await loadMessages('pages')
  const button = (text: string) => (
    <I18nProvider i18n={i18n}>
      <CopyButton text={text} />
    </I18nProvider>
  )
  const { getByRole, rerender } = render(button('one'))
  const name = () => getByRole('button').getAttribute('aria-label')
  const names = [name()]
  await act(async () => void fireEvent.click(getByRole('button')))
  names.push(name())
  rerender(button('two'))
  expect([...names, name(), copied]).toEqual(['Copy', 'Copied', 'Copy', ['one']])
})
