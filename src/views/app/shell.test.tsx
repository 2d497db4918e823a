// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from './ErrorBoundary.tsx'

const fetched = vi.hoisted(() => ({ isThere: true }))
vi.mock('../shell/Shell.tsx', () => ({
  Shell: ({ children }: { children: string }) => <header>Shell of {children}</header>,
}))
vi.mock('../../i18n/i18n.ts', () => ({
  loadMessages: async () => (fetched.isThere ? undefined : Promise.reject(new Error('the server is away'))),
}))

/** As after a reload: nothing has been fetched. */
const fresh = () => import('./shell.tsx')

beforeEach(() => {
  vi.resetModules()
  fetched.isThere = true
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('is there with the first drawing once it has been fetched', async () => {
  const { LoadedShell, loadShell } = await fresh()
  await loadShell()
  const { container } = render(<LoadedShell>a page</LoadedShell>)
  expect(container.textContent).toBe('Shell of a page')
})

test('comes when it is fetched later', async () => {
  const { LoadedShell, loadShell } = await fresh()
  const { container } = render(<LoadedShell>a page</LoadedShell>)
  expect(container.textContent).toBe('')
  await act(loadShell)
  expect(container.textContent).toBe('Shell of a page')
})

test('leaves it to the boundary around it when it can not be had', async () => {
  vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined)
  fetched.isThere = false
  const { LoadedShell, loadShell } = await fresh()
  const { container } = render(
    <ErrorBoundary fallback={() => 'not to be had'}>
      <LoadedShell>a page</LoadedShell>
    </ErrorBoundary>,
  )
  await act(() => loadShell().catch(() => null))
  expect(container.textContent).toBe('not to be had')
})
