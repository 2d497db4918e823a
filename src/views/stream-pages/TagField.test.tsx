// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { i18n } from '../../i18n/i18n.ts'
import { TagField } from './TagField.tsx'

afterEach(cleanup)

test('Enter, a comma or leaving the field adds a tag, but not Enter that ends a composition', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  const shown: { tags: readonly string[] } = { tags: [] }
  function Tags() {
    const [tags, setTags] = useState<readonly string[]>([])
    shown.tags = tags
    return <TagField label="Tags" tags={tags} error={undefined} onChange={setTags} />
  }
  render(
    <I18nProvider i18n={i18n}>
      <Tags />
    </I18nProvider>,
  )
  const field = screen.getByRole('textbox', { name: 'Tags' })
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  type('にわ')
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(shown.tags).toEqual([])
  type('庭')
  fireEvent.keyDown(field, { key: 'Enter' })
  type('north,')
  type('yard')
  fireEvent.blur(field)
  expect(shown.tags).toEqual(['庭', 'north', 'yard'])
  fireEvent.keyDown(field, { key: 'Backspace' })
  expect(shown.tags).toEqual(['庭', 'north'])
})
