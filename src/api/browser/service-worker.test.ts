// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { subscribeToPush } from './service-worker.ts'
import { patience } from '../../../tests/fixtures/patience.ts'

const requestPermission = vi.fn(async () => 'granted')

const browserWith = (serviceWorker: object | null) => {
  vi.stubGlobal('PushManager', {})
  vi.stubGlobal('Notification', { requestPermission })
  vi.stubGlobal('navigator', serviceWorker === null ? {} : { serviceWorker })
}

afterEach(() => {
  vi.unstubAllGlobals()
  requestPermission.mockClear()
})

test('a browser without service workers is unsupported and asks for no permission', async () => {
  browserWith(null)
  expect(await subscribeToPush('BKey')).toEqual({ ok: false, reason: 'unsupported' })
  expect(requestPermission).not.toHaveBeenCalled()
})

test('a service worker that can not be installed is a failure, not an unsupported browser', async () => {
  const register = async () => Promise.reject(new TypeError('Failed to fetch'))
  browserWith({ getRegistration: async () => undefined, register })
  expect(await subscribeToPush('BKey')).toEqual({ ok: false, reason: 'failed' })
})

test.each([
  ['denied', 'denied'],
  ['default', 'dismissed'],
])('the permission %s is %s', async (permission, reason) => {
  browserWith({})
  requestPermission.mockResolvedValueOnce(permission)
  expect(await subscribeToPush('BKey')).toEqual({ ok: false, reason })
})

/** A service worker that is being installed, and its registration. */
const installing = () => {
  const worker = Object.assign(new EventTarget(), { state: 'installing' })
  const become = (state: string) => {
    worker.state = state
    worker.dispatchEvent(new Event('statechange'))
  }
  const pushManager = { subscribe: async () => ({ endpoint: 'https://push.example/1' }) }
  const registration = { active: null, installing: worker, waiting: null, pushManager }
  browserWith({ getRegistration: async () => registration })
  return { become }
}

test('a service worker that is being installed is waited for', async () => {
  const { become } = installing()
  const answer = subscribeToPush('BKey')
  await vi.waitFor(() => expect(requestPermission).toHaveBeenCalled(), patience)
  await Promise.resolve()
  for (const state of ['installed', 'activating', 'activated']) become(state)
  expect(await answer).toEqual({ ok: true, address: '{"endpoint":"https://push.example/1"}' })
})

test('one that is dropped while it is installed is a failure', async () => {
  const { become } = installing()
  const answer = subscribeToPush('BKey')
  await vi.waitFor(() => expect(requestPermission).toHaveBeenCalled(), patience)
  await Promise.resolve()
  become('redundant')
  expect(await answer).toEqual({ ok: false, reason: 'failed' })
})
