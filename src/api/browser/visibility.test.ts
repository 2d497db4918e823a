// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { watchVisibility } from './visibility.ts'

test('a page that opens hidden is reported at once, and each change until the watch ends', () => {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const reported: boolean[] = []
  const end = watchVisibility((hidden) => reported.push(hidden))
  const change = (to: DocumentVisibilityState) => {
    state.mockReturnValue(to)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  change('visible')
  change('hidden')
  end()
  change('visible')
  expect(reported).toEqual([true, false, true])
})

test('a page that opens visible reports nothing yet', () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
  const reported: boolean[] = []
  watchVisibility((hidden) => reported.push(hidden))()
  expect(reported).toEqual([])
})
