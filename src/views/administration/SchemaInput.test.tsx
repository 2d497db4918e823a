// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { wrapper } from '../../../tests/views/wrapper.tsx'
import { activate } from '../../i18n/i18n.ts'
import { fieldsOf } from '../../machines/administration/schema-fields.ts'
import { SchemaInput } from './SchemaInput.tsx'

afterEach(cleanup)

function Setting({ schema, initial }: { schema: object; initial: unknown }) {
  const [value, setValue] = useState(initial)
  const [field] = fieldsOf({ properties: { setting: { title: 'Setting', ...schema } } })
  if (field === undefined) throw new Error('no field')
  return (
    <>
      <SchemaInput field={field} value={value} error={undefined} onEdit={(_path, next) => setValue(next)} />
      <button type="button" onClick={() => setValue(initial)}>
        Discard
      </button>
      <output>{JSON.stringify(value)}</output>
    </>
  )
}

test.each([
  [
    'lines',
    { type: 'array', items: { type: 'string' } },
    ['a'],
    ['a\n', 'a\nb', 'a\nb c '],
    ['["a"]', '["a","b"]', '["a","b c"]'],
  ],
  ['a number', { type: 'number' }, 1, ['1.', '1.0', '1.05'], ['1', '1', '1.05']],
])('%s can be typed letter by letter; what is discarded is gone', async (_kind, schema, initial, texts, values) => {
  await activate('en')
  const { getByLabelText, getByRole } = render(<Setting schema={schema} initial={initial} />, { wrapper })
  const input = getByLabelText('Setting')
  const shown = () => ('value' in input ? input.value : undefined)
  const typed = texts.map((value) => {
    fireEvent.change(input, { target: { value } })
    return [shown(), getByRole('status').textContent]
  })
  expect(typed).toEqual(texts.map((text, index) => [text, values[index]]))
  fireEvent.click(getByRole('button'))
  expect(shown()).toBe(String(initial))
})
