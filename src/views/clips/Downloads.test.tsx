// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { startConsole } from '../../../tests/machines/console.ts'
import { patience } from '../../../tests/fixtures/patience.ts'
import { ConsoleProvider } from '../app/console.ts'
import { Downloads } from './Downloads.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('a tray whose code could not be loaded is loaded with the next page, and stays', async () => {
  vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined)
  const { actor, go } = startConsole('/stream/gate/view')
  const tray = vi
    .fn(async () => ({ default: ({ isRaised }: { isRaised: boolean }) => <p>{isRaised ? 'raised' : 'low'}</p> }))
    .mockRejectedValueOnce(new Error('no connection'))
  const palette = () => Promise.reject(new Error('not asked for'))
  const nothing = () => undefined
  render(
    <ConsoleProvider
      value={{
        app: actor,
        consolePath: '/ui',
        viewOf: nothing,
        extras: async () => ({ tray, palette }),
        copyText: async () => true,
        saveText: nothing,
        whenIdle: nothing,
      }}
    >
      <Downloads />
    </ConsoleProvider>,
  )
  await vi.waitUntil(() => tray.mock.settledResults[0]?.type === 'rejected', patience)
  await act(() => go('/help'))
  const shown = await screen.findByText('low', {}, patience)
  await act(() => go('/stream/gate/view'))
  expect([shown.isConnected, shown.textContent]).toEqual([true, 'raised'])
})
