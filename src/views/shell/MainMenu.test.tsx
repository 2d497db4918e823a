// @vitest-environment jsdom
import { fireEvent } from '@testing-library/react'
import { expect, test } from 'vitest'
import { configurationOf, ok, settingsOf } from '../../../tests/fixtures/replies.ts'
import { openScreen } from '../../../tests/views/screen.tsx'

test.each([
  ['5.0', 'version 5.0'],
  ['', 'version 4.2'],
])('the menu shows the version of the settings (%o), else that of health', async (version, words) => {
  const { getByRole, inside } = await openScreen('/help', { world: { settings: () => ok(settingsOf({ version })) } })
  fireEvent.click(getByRole('button', { name: 'Menu' }))
  expect(inside('menu').getByText(new RegExp(words))).toBeDefined()
})

test('a path that the server or the deployment gives is one of the origin, not of the console', async () => {
  const { getByRole } = await openScreen('/help', {
    world: {
      settings: () => ok(settingsOf({ documentation: '/docs/index.html' })),
      configuration: () => ok(configurationOf({ pricingUrl: '/buy' })),
    },
  })
  fireEvent.click(getByRole('button', { name: 'Menu' }))
  const hrefOf = (name: string) => getByRole('menuitem', { name }).getAttribute('href')
  expect([hrefOf('Documentation'), hrefOf('More features'), hrefOf('API documentation')]).toEqual([
    `${globalThis.location.origin}/docs/index.html`,
    `${globalThis.location.origin}/buy`,
    '/ui/swagger',
  ])
})
