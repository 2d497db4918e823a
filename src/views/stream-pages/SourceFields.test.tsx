// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { settingsOf } from '../../../tests/fixtures/replies.ts'
import { i18n } from '../../i18n/i18n.ts'
import { newStreamValues, type StreamValues } from '../../machines/stream-pages/stream-values.ts'
import { SourceFields } from './SourceFields.tsx'

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))
afterEach(cleanup)

function show(given: Partial<StreamValues> = {}) {
  const shown = { values: { ...newStreamValues(settingsOf()), ...given } }
  function Fields() {
    const [values, setValues] = useState(shown.values)
    shown.values = values
    return (
      <SourceFields
        values={values}
        errorOf={() => undefined}
        onEdit={(edited) => setValues({ ...values, ...edited })}
        hasOnvif={false}
      />
    )
  }
  render(
    <I18nProvider i18n={i18n}>
      <Fields />
    </I18nProvider>,
  )
  const source = () => screen.getByRole('textbox', { name: /^Stream source/ })
  return {
    enter: (value: string) => fireEvent.change(source(), { target: { value } }),
    leave: () => fireEvent.blur(source()),
    values: () => [shown.values.streamSource, shown.values.login, shown.values.password],
  }
}

test('a pasted address gives its login and password to their fields', () => {
  const { enter, values } = show()
  enter('rtsp://admin:secret@cam/1')
  expect(values()).toEqual(['rtsp://cam/1', 'admin', 'secret'])
})

test('a password with an @ that is pasted into an address stays whole until the field is left', () => {
  const { enter, leave, values } = show({ streamSource: 'rtsp://admin:' })
  enter('rtsp://admin:p@ss')
  expect(values()).toEqual(['rtsp://admin:p@ss', '', ''])
  enter('rtsp://admin:p@ss@cam/1')
  leave()
  expect(values()).toEqual(['rtsp://cam/1', 'admin', 'p@ss'])
})

test('default addresses keep the login and password of the address that they replace', () => {
  const { values } = show({ streamSource: 'rtsp://ann:x@cam/1' })
  fireEvent.click(screen.getByRole('button', { name: 'Hikvision', hidden: true }))
  expect(values()).toEqual(['rtsp://cam:554/Streaming/Channels/101', 'ann', 'x'])
})
