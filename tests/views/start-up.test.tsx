// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { describe, vi } from 'vitest'
import { admin, reader, settings, signedOut } from '../fixtures/fake-server.ts'
import {
  at,
  enter,
  expect,
  field,
  fill,
  holds,
  isDisabled,
  notifications,
  part,
  press,
  test,
  titled,
  toast,
  until,
} from './console.tsx'

const password = 'Password'

test('asks configuration, then settings, then health beside the user', async ({ server, visit }) => {
  await visit('/ui/streams')
  await titled('Streams')
  const order = server.calls.map((call) => call.split('?')[0]).slice(0, 4)
  expect(order.slice(0, 2)).toEqual(['GET /ui/config.json', 'GET /v1/system/internal/ui/settings'])
  expect(order.slice(2).toSorted()).toEqual(['GET /v1/system/health', 'GET /v1/user'])
})

test('starts signed out in the browser language when the settings fail', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', 'unreachable')
  server.answer('GET /v1/system/health', 'unreachable')
  await visit('/ui/')
  await screen.findByRole('button', { name: 'Sign in' })
  await toast('Server is not responding')
  expect((await notifications()).getAllByText('Server is not responding')).toHaveLength(1)
})

test('a server that takes its time is waited for in words', async ({ server, visit }) => {
  const answer = Promise.withResolvers<{ json: object }>()
  server.answer('GET /v1/system/internal/ui/settings', () => answer.promise)
  await visit('/ui/help')
  await screen.findByText('Waiting for the server…')
  answer.resolve({ json: settings })
  await titled('Help')
  expect(screen.queryByText('Waiting for the server…')).toBeNull()
})

describe('in a Russian browser', () => {
  test('settings that fail leave its language', async ({ server, visit }) => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['ru-RU'])
    server.answer('GET /v1/system/internal/ui/settings', 'unreachable')
    server.answer('GET /v1/system/health', 'unreachable')
    await visit('/ui/')
    await screen.findByRole('button', { name: 'Войти' })
    expect(document.documentElement.lang).toBe('ru')
  })
})

test('goes on without a configuration', async ({ server, visit }) => {
  server.answer('GET /ui/config.json', { status: 500, json: { code: 'InternalServerError' } })
  await visit('/ui/')
  await at('/ui/streams')
})

test('opened while nothing answers, takes up its configuration with the rest once the server is back', async ({
  server,
  visit,
}) => {
  const calls = ['GET /ui/config.json', 'GET /v1/system/internal/ui/settings', 'GET /v1/system/health'] as const
  for (const call of calls) server.answer(call, 'unreachable')
  await visit('/ui/streams')
  await screen.findByRole('button', { name: 'Sign in' })
  server.answer('GET /v1/system/internal/ui/settings', { json: settings })
  server.answer('GET /v1/system/health', { json: { version: '1.0', warnings: [] } })
  server.answer('GET /ui/config.json', { json: { appTitle: 'Yard' } })
  await at('/ui/streams')
  await (await part('banner')).findByRole('link', { name: 'Yard' })
})

test('signs in, keeps the login after a wrong password, and returns to where one was going', async ({
  server,
  visit,
}) => {
  let isIn = false
  server.answer('GET /v1/user', () => (isIn ? { json: admin } : signedOut))
  server.answer('POST /v1/sign-in', (request) => {
    isIn = request.postDataJSON().password === 'right'
    return isIn ? { json: {} } : { status: 401, json: { code: 'AuthorizationFailed' } }
  })
  await visit('/ui/help?topic=keys')
  await titled('Authorization')
  await fill('Login', 'ann')
  await fill(password, 'wrong')
  await press('button', 'Sign in')
  await toast('Incorrect login or password')
  await holds('Login', 'ann')
  await fill(password, 'right')
  enter(await field(password))
  await at('/ui/help?topic=keys')
  expect(server.bodies.at(-1)).toEqual({ call: 'POST /v1/sign-in', body: { name: 'ann', password: 'right' } })
})

test('leads to the profile first when the password must be changed', async ({ server, visit }) => {
  let isIn = false
  server.answer('GET /v1/user', () => (isIn ? { json: admin } : signedOut))
  server.answer('POST /v1/sign-in', () => {
    isIn = true
    return { json: { mustChangePassword: true } }
  })
  await visit('/ui/')
  await fill('Login', 'ann')
  await fill(password, 'x')
  await press('button', 'Sign in')
  await at('/ui/profile/me/edit')
})

test('waits as long as the server says before another attempt', async ({ server, visit }) => {
  server.answer('GET /v1/user', signedOut)
  server.answer('POST /v1/sign-in', {
    status: 429,
    json: { code: 'TooManyRequests' },
    headers: { 'retry-after': '30' },
  })
  await visit('/ui/auth')
  await fill('Login', 'ann')
  await fill(password, 'x')
  await press('button', 'Sign in')
  await screen.findByText(/try again in \d+ s/)
  expect(isDisabled(screen.getByRole('button', { name: 'Sign in' }))).toBe(true)
})

test('prefills the kiosk login', async ({ server, visit }) => {
  server.answer('GET /v1/user', signedOut)
  server.answer('GET /v1/system/internal/ui/settings', {
    json: { ...settings, kioskPrefillUser: 'wall', kioskPrefillPassword: 'screen' },
  })
  await visit('/ui/auth')
  await holds('Login', 'wall')
  await holds(password, 'screen')
})

test('a locked server leads to its initialization, and unlocking signs in', async ({ server, visit }) => {
  let isLocked = true
  server.answer('GET /v1/system/internal/ui/settings', () => ({ json: { ...settings, isLocked } }))
  server.answer('GET /v1/user', () => (isLocked ? { status: 423 } : { json: admin }))
  server.answer('POST /v1/system/unlock', () => {
    isLocked = false
    return { json: admin }
  })
  await visit('/ui/streams')
  await titled('Server initialization')
  await fill('Login', 'ann')
  await fill(password, 'a long enough secret')
  await press('button', 'Create administrator')
  await at('/ui/streams')
  await visit('/ui/init')
  await at('/ui/streams')
})

test('a later 401 leads to sign-in and back to the same address, query too', async ({ server, visit }) => {
  let isIn = true
  server.answer('GET /v1/user', () => (isIn ? { json: admin } : signedOut))
  server.answer('GET /v1/streams', () => (isIn ? { json: { items: [], total: 0 } } : signedOut))
  server.answer('POST /v1/sign-in', () => {
    isIn = true
    return { json: {} }
  })
  await visit('/ui/help?topic=keys')
  await titled('Help')
  isIn = false
  await press('link', 'All streams', await part('navigation', 'Toolbar'))
  await titled('Authorization')
  await fill('Login', 'ann')
  await fill(password, 'x')
  await press('button', 'Sign in')
  await until(() => expect(globalThis.location.pathname).toMatch(/^\/ui\/streams/))
})

test('signing out clears the user and asks to sign in', async ({ server, visit }) => {
  server.answer('POST /v1/sign-out', { json: {} })
  await visit('/ui/help')
  await press('button', 'Menu')
  await press('menuitem', 'Log out')
  await at('/ui/auth')
  await until(() => expect(screen.queryByRole('banner')).toBeNull())
})

test('fetches the settings again on each change of path, not of query', async ({ server, visit }) => {
  await visit('/ui/help')
  await titled('Help')
  const before = server.count('GET /v1/system/internal/ui/settings')
  await press('link', 'Bookmarks')
  await titled('Bookmarks')
  await until(() => expect(server.count('GET /v1/system/internal/ui/settings')).toBe(before + 1))
})

test('shows who may not enter, and what is not there', async ({ server, visit }) => {
  server.answer('GET /v1/user', { json: reader })
  await visit('/ui/administration/stats')
  await screen.findByRole('heading', { name: "You don't have access" })
  expect(screen.queryByRole('link', { name: 'Add stream' })).toBeNull()
  await visit('/ui/nowhere/at/all')
  await titled('Page not found')
  expect(screen.queryByRole('banner')).toBeNull()
})
