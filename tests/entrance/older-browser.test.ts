// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'

test('in a browser that is too old the sign-in page is not shown, and the console not run', async () => {
  const afterPaint = vi.fn()
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  vi.stubGlobal('requestAnimationFrame', afterPaint)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
  document.body.innerHTML = '<template lang="en"><form></form></template><div id="root"></div>'
  const openIn = async () => {
    vi.resetModules()
    await import('../../src/wiring/entrance/early.ts')
    document.dispatchEvent(new Event('DOMContentLoaded'))
    return { isShown: document.querySelector('form') !== null, runs: afterPaint.mock.calls.length }
  }
  const union = Object.getOwnPropertyDescriptor(Set.prototype, 'union') ?? {}
  Reflect.deleteProperty(Set.prototype, 'union')
  expect(await openIn()).toEqual({ isShown: false, runs: 0 })
  Reflect.defineProperty(Set.prototype, 'union', union)
  expect(await openIn()).toEqual({ isShown: true, runs: 1 })
})
