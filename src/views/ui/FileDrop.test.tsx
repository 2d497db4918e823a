// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { ChooseFile } from './FileDrop.tsx'

beforeEach(async () => {
  await activate('en')
  await loadMessages('pages')
})
afterEach(cleanup)

test('a selected file is forgotten by its input, so that it can be selected again', () => {
  const names: string[] = []
  const { container } = render(
    <I18nProvider i18n={i18n}>
      <ChooseFile onFile={({ name }) => names.push(name)} />
    </I18nProvider>,
  )
  const input = container.querySelector('input')
  if (input === null) throw new Error('No input')
  const values: string[] = []
  Object.defineProperty(input, 'value', {
    set(value: string) {
      values.push(value)
    },
  })
  fireEvent.change(input, { target: { files: [new File(['a'], 'cameras.csv')] } })
  expect([names, values]).toEqual([['cameras.csv'], ['']])
})
