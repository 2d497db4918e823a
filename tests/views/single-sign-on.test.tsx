// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { signInMachine } from '../../src/machines/session/sign-in.machine.ts'
import { SignInPage } from '../../src/views/sign-in/SignInPage.tsx'
import { definePage } from '../../src/wiring/page.ts'
import { configurationOf, ok, settingsOf } from '../fixtures/replies.ts'
import { unauthorized } from '../machines/console.ts'
import { openScreen } from './screen.tsx'

const { logic, View } = definePage({ logic: signInMachine, View: SignInPage })

const open = (address: string, settings: object, { language = 'en', apiBaseUrl = '' } = {}) =>
  openScreen(address, {
    world: {
      user: unauthorized,
      settings: () => ok(settingsOf(settings)),
      configuration: () => ok(configurationOf({ apiBaseUrl })),
      page: (name) => (name === 'auth' ? logic : null),
    },
    view: (name) => (name === 'auth' ? View : undefined),
    language,
  })

test('the sign-in page leads to the provider where the server announces one', async () => {
  const { getByRole } = await open('/auth', { features: ['oidc'], oidcName: 'Example ID' })
  const link = getByRole('link', { name: 'Sign in with Example ID' })
  expect(link.getAttribute('href')).toBe('/v1/user/oidc/start')
  const { getByRole: unnamed } = await open('/auth', { features: ['oidc'] }, { apiBaseUrl: '/vms/' })
  const other = unnamed('link', { name: 'Sign in with single sign-on' })
  expect(other.getAttribute('href')).toBe('/vms/v1/user/oidc/start')
  const { queryByRole } = await open('/auth', { oidcName: 'Example ID' })
  expect(queryByRole('link', { name: /^Sign in with/ })).toBeNull()
})

test.each([
  ['away', 'The single sign-on service is not responding. Try again later.'],
  ['denied', 'The single sign-on service has refused the sign-in.'],
  ['expired', 'The sign-in has expired, or was started in another window. Try again.'],
  ['forbidden', 'You have no access to this server. Ask your administrator.'],
  ['blocked', 'Your account is blocked. Ask your administrator.'],
  ['throttled', 'Too many attempts. Wait a little and try again.'],
  ['failed', 'The sign-in has failed. Try again.'],
  ['<b>', 'The sign-in has failed. Try again.'],
])('a sign-in that ends with %s says so', async (failure, text) => {
  const { findByRole } = await open(`/auth?failure=${encodeURIComponent(failure)}`, { features: ['oidc'] })
  expect((await findByRole('alert')).textContent).toBe(text)
})

test('it speaks Russian', async () => {
  const { getByRole, findByRole } = await open('/auth?failure=away', { features: ['oidc'] }, { language: 'ru' })
  expect(getByRole('link', { name: 'Войти через единый вход' })).toBeDefined()
  expect((await findByRole('alert')).textContent).toBe('Сервис единого входа не отвечает. Повторите попытку позже.')
})
