// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { patience } from '../../../tests/fixtures/patience.ts'
import { deferred } from '../ui/deferred.ts'
import { DeferredPart } from './DeferredPart.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const show = (module: ReturnType<typeof deferred<string>>, isNeeded: boolean, retryKey?: unknown) => (
  <DeferredPart module={module} isNeeded={isNeeded} retryKey={retryKey}>
    {(text) => <input aria-label={text} />}
  </DeferredPart>
)

test('a part whose code could not be loaded is empty, and is loaded when it is needed again', async () => {
  vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined)
  const fetch = vi.fn<() => Promise<string>>(async () => 'Part').mockRejectedValueOnce(new Error('no connection'))
  const part = deferred(fetch)
  const { rerender } = render(show(part, true))
  await vi.waitUntil(() => fetch.mock.settledResults[0]?.type === 'rejected', patience)
  rerender(show(part, false))
  expect(screen.queryByRole('textbox')).toBeNull()
  rerender(show(part, true))
  await screen.findByRole('textbox', { name: 'Part' }, patience)
})

test('a part that is loaded stays as it is when the key changes', async () => {
  const part = deferred(async () => 'Part')
  const { rerender } = render(show(part, true, 1))
  const input = await screen.findByRole('textbox', { name: 'Part' }, patience)
  input.focus()
  rerender(show(part, true, 2))
  expect(document.activeElement).toBe(input)
})
