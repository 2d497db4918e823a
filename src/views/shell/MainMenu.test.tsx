// @vitest-environment jsdom
import { fireEvent } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ok, settingsOf } from '../../../tests/fixtures/replies.ts'
import { openScreen } from '../../../tests/views/screen.tsx'

test.each([
  ['5.0', 'version 5.0'],
  ['', 'version 4.2'],
])('the menu shows the version of the settings (%o), else that of health', async (version, words) => {
  const { getByRole, inside } = await openScreen('/help', { world: { settings: () => ok(settingsOf({ version })) } })
  fireEvent.click(getByRole('button', { name: 'Menu' }))
  expect(inside('menu').getByText(new RegExp(words))).toBeDefined()
})
