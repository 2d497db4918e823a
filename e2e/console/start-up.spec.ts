import { expect } from 'playwright/test'
import { admin, reader, settings, test } from './fake-server.ts'

const signedOut = { status: 401, json: { code: 'AuthorizationRequired' } }

test('asks configuration, then settings, then health beside the user', async ({ page, server, problems }) => {
  await page.goto('/ui/streams')
  await expect(page).toHaveTitle('Streams')
  const order = server.calls.map((call) => call.split('?')[0]).slice(0, 4)
  expect(order.slice(0, 2)).toEqual(['GET /ui/config.json', 'GET /v1/system/internal/ui/settings'])
  expect(order.slice(2).toSorted()).toEqual(['GET /v1/system/health', 'GET /v1/user'])
  expect(problems).toEqual([])
})

test('starts signed out in the browser language when the settings fail', async ({ page, server }) => {
  server.answer('GET /v1/system/internal/ui/settings', 'unreachable')
  server.answer('GET /v1/system/health', 'unreachable')
  await page.goto('/ui/')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Server is not responding')).toHaveCount(1)
})

test('a server that takes its time is waited for in words', async ({ page, server, problems }) => {
  const answer = Promise.withResolvers<{ json: object }>()
  server.answer('GET /v1/system/internal/ui/settings', () => answer.promise)
  await page.goto('/ui/help')
  const words = page.getByText('Waiting for the server…')
  await expect(words).toBeVisible()
  answer.resolve({ json: settings })
  await expect(page).toHaveTitle('Help')
  await expect(words).toHaveCount(0)
  expect(problems).toEqual([])
})

test.describe('in a Russian browser', () => {
  test.use({ locale: 'ru-RU' })

  test('settings that fail leave its language', async ({ page, server }) => {
    server.answer('GET /v1/system/internal/ui/settings', 'unreachable')
    server.answer('GET /v1/system/health', 'unreachable')
    await page.goto('/ui/')
    await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ru')
  })
})

test('goes on without a configuration', async ({ page, server }) => {
  server.answer('GET /ui/config.json', { status: 500, json: { code: 'InternalServerError' } })
  await page.goto('/ui/')
  await expect(page).toHaveURL('/ui/streams')
})

test('opened while nothing answers, takes up its configuration with the rest once the server is back', async ({
  page,
  server,
}) => {
  const calls = ['GET /ui/config.json', 'GET /v1/system/internal/ui/settings', 'GET /v1/system/health'] as const
  for (const call of calls) server.answer(call, 'unreachable')
  await page.goto('/ui/streams')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  server.answer('GET /v1/system/internal/ui/settings', { json: settings })
  server.answer('GET /v1/system/health', { json: { version: '1.0', warnings: [] } })
  server.answer('GET /ui/config.json', { json: { appTitle: 'Yard' } })
  await expect(page).toHaveURL('/ui/streams')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Yard' })).toBeVisible()
})

test('signs in, keeps the login after a wrong password, and returns to where one was going', async ({
  page,
  server,
  problems,
}) => {
  let isIn = false
  server.answer('GET /v1/user', () => (isIn ? { json: admin } : signedOut))
  server.answer('POST /v1/sign-in', (request) => {
    isIn = request.postDataJSON().password === 'right'
    return isIn ? { json: {} } : { status: 401, json: { code: 'AuthorizationFailed' } }
  })
  await page.goto('/ui/help?topic=keys')
  await expect(page).toHaveTitle('Authorization')
  await page.getByLabel('Login').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(
    page.getByRole('region', { name: 'Notifications' }).getByText('Incorrect login or password'),
  ).toBeVisible()
  await expect(page.getByLabel('Login')).toHaveValue('ann')
  await page.getByLabel('Password', { exact: true }).fill('right')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/ui/help?topic=keys')
  expect(server.bodies.at(-1)).toEqual({ call: 'POST /v1/sign-in', body: { name: 'ann', password: 'right' } })
  expect(problems).toEqual([])
})

test('leads to the profile first when the password must be changed', async ({ page, server }) => {
  let isIn = false
  server.answer('GET /v1/user', () => (isIn ? { json: admin } : signedOut))
  server.answer('POST /v1/sign-in', () => {
    isIn = true
    return { json: { mustChangePassword: true } }
  })
  await page.goto('/ui/')
  await page.getByLabel('Login').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('x')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/ui/profile/me/edit')
})

test('waits as long as the server says before another attempt', async ({ page, server }) => {
  server.answer('GET /v1/user', signedOut)
  server.answer('POST /v1/sign-in', {
    status: 429,
    json: { code: 'TooManyRequests' },
    headers: { 'retry-after': '30' },
  })
  await page.goto('/ui/auth')
  await page.getByLabel('Login').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('x')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled()
  await expect(page.getByText(/try again in \d+ s/)).toBeVisible()
})

test('prefills the kiosk login', async ({ page, server }) => {
  server.answer('GET /v1/user', signedOut)
  server.answer('GET /v1/system/internal/ui/settings', {
    json: { ...settings, kioskPrefillUser: 'wall', kioskPrefillPassword: 'screen' },
  })
  await page.goto('/ui/auth')
  await expect(page.getByLabel('Login')).toHaveValue('wall')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('screen')
})

test('a locked server leads to its initialization, and unlocking signs in', async ({ page, server }) => {
  let isLocked = true
  server.answer('GET /v1/system/internal/ui/settings', () => ({ json: { ...settings, isLocked } }))
  server.answer('GET /v1/user', () => (isLocked ? { status: 423 } : { json: admin }))
  server.answer('POST /v1/system/unlock', () => {
    isLocked = false
    return { json: admin }
  })
  await page.goto('/ui/streams')
  await expect(page).toHaveTitle('Server initialization')
  await page.getByLabel('Login').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('a long enough secret')
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await expect(page).toHaveURL('/ui/streams')
  await page.goto('/ui/init')
  await expect(page).toHaveURL('/ui/streams')
})

test('a later 401 leads to sign-in and back to the same address, query too', async ({ page, server }) => {
  let isIn = true
  server.answer('GET /v1/user', () => (isIn ? { json: admin } : signedOut))
  server.answer('GET /v1/streams', () => (isIn ? { json: { items: [], total: 0 } } : signedOut))
  server.answer('POST /v1/sign-in', () => {
    isIn = true
    return { json: {} }
  })
  await page.goto('/ui/help?topic=keys')
  await expect(page).toHaveTitle('Help')
  isIn = false
  await page.getByRole('navigation', { name: 'Toolbar' }).getByRole('link', { name: 'All streams' }).click()
  await expect(page).toHaveTitle('Authorization')
  await page.getByLabel('Login').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('x')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/ui\/streams/)
})

test('signing out clears the user and asks to sign in', async ({ page, server }) => {
  server.answer('POST /v1/sign-out', { json: {} })
  await page.goto('/ui/help')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/ui/auth')
  await expect(page.getByRole('banner')).toHaveCount(0)
})

test('fetches the settings again on each change of path, not of query', async ({ page, server }) => {
  await page.goto('/ui/help')
  await expect(page).toHaveTitle('Help')
  const before = server.count('GET /v1/system/internal/ui/settings')
  await page.getByRole('link', { name: 'Bookmarks' }).click()
  await expect(page).toHaveTitle('Bookmarks')
  await expect.poll(() => server.count('GET /v1/system/internal/ui/settings')).toBe(before + 1)
})

test('shows who may not enter, and what is not there', async ({ page, server }) => {
  server.answer('GET /v1/user', { json: reader })
  await page.goto('/ui/administration/stats')
  await expect(page.getByRole('heading', { name: "You don't have access" })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add stream' })).toHaveCount(0)
  await page.goto('/ui/nowhere/at/all')
  await expect(page).toHaveTitle('Page not found')
  await expect(page.getByRole('banner')).toHaveCount(0)
})
