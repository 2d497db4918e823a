// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leave, watchLeaving } from './leaving.ts'

let attempts: (() => void)[] = []
let heard: string[] = []
let release = () => {}
const hear = () => heard.push(location.pathname)
const popped = () =>
  new Promise((resolve) => globalThis.addEventListener('popstate', resolve, { once: true, capture: true }))

beforeEach(() => {
  history.pushState(null, '', '/ui/streams')
  history.pushState(null, '', '/ui/profile/me/edit')
  attempts = []
  heard = []
  globalThis.addEventListener('popstate', hear)
  release = watchLeaving((proceed) => attempts.push(proceed))
})
afterEach(() => {
  release()
  globalThis.removeEventListener('popstate', hear)
})

test('this browser has no Navigation API', () => {
  expect('navigation' in globalThis).toBe(false)
})

test('a link is held, and followed once it may be', () => {
  history.pushState(null, '', '/ui/mosaics')
  expect([location.pathname, attempts.length]).toEqual(['/ui/profile/me/edit', 1])
  attempts[0]?.()
  expect(location.pathname).toBe('/ui/mosaics')
})

test('Back is held without anybody else hearing of it, and gone once it may be', async () => {
  history.back()
  await vi.waitFor(() => expect(attempts).toHaveLength(1))
  expect([location.pathname, heard]).toEqual(['/ui/profile/me/edit', []])
  const gone = popped()
  attempts[0]?.()
  await gone
  expect([location.pathname, heard]).toEqual(['/ui/streams', ['/ui/streams']])
})

test('query and fragment change freely, and so does everything after the watch has ended', async () => {
  history.pushState(null, '', '/ui/profile/me/edit?tab=1#x')
  expect([location.search, attempts.length]).toEqual(['?tab=1', 0])
  release()
  history.pushState(null, '', '/ui/mosaics')
  history.back()
  await popped()
  expect([location.pathname, attempts.length, heard.length]).toEqual(['/ui/profile/me/edit', 0, 1])
})

test('signing out asks as well', () => {
  let isOut = false
  leave(() => (isOut = true))
  expect([isOut, attempts.length]).toEqual([false, 1])
  attempts[0]?.()
  expect(isOut).toBe(true)
})

test('closing the window is asked about by the browser', () => {
  const closing = new Event('beforeunload', { cancelable: true })
  globalThis.dispatchEvent(closing)
  expect(closing.defaultPrevented).toBe(true)
})
