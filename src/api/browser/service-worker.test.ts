// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { subscribeToPush } from './service-worker.ts'

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
