import { expect, type Page } from 'playwright/test'
import { axeFindings } from '../axe.ts'
import { admin, notFound, settings, test, type FakeServer } from './fake-server.ts'

const signedOut = { status: 401, json: { code: 'AuthorizationRequired' } }
const toast = (page: Page, text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text)
/** The server announces what it can do besides. */
const announce = (server: FakeServer, ...features: string[]) =>
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features } })
const bodyOf = (server: FakeServer, call: string) => server.bodies.findLast((one) => one.call === call)?.body

test.describe('recovery', () => {
  test.beforeEach(({ server }) => server.answer('GET /v1/user', signedOut))

  test('sends a code, counts down across a reload, and changes the password', async ({ page, server, problems }) => {
    server.answer('POST /v1/password/send-reset', { headers: { 'retry-after': '60' } })
    server.answer('POST /v1/password/reset', {})
    await page.goto('/ui/recover-password')
    await expect(page).toHaveTitle('Recover password')
    await page.getByLabel('Email').fill('ann@example.org')
    await page.getByLabel('Email').press('Enter')
    await expect(toast(page, 'Code has been sent to ann@example.org')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send code' })).toBeDisabled()
    await expect(page.getByText(/Another code can be sent in \d+ s/)).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Send code' })).toBeDisabled()
    await expect(page.getByLabel('Email')).toHaveValue('ann@example.org')
    await page.getByLabel('Code', { exact: true }).fill('12 34')
    await page.getByLabel('New password').fill('x')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page).toHaveURL('/ui/auth?recover=1')
    await expect(toast(page, 'Password has been changed')).toBeVisible()
    expect(bodyOf(server, 'POST /v1/password/reset')).toEqual({
      email: 'ann@example.org',
      code: '12 34',
      password: 'x',
    })
    expect(server.count('POST /v1/password/send-reset')).toBe(1)
    expect(problems).toEqual([])
  })

  test('names the address that no user has, and keeps what was typed', async ({ page, server }) => {
    server.answer('POST /v1/password/send-reset', { status: 404, json: { code: 'NotFound' } })
    await page.goto('/ui/recover-password')
    await page.getByLabel('Email').fill('nobody@example.org')
    await page.getByRole('button', { name: 'Send code' }).click()
    await expect(toast(page, 'User with email nobody@example.org has not found')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('nobody@example.org')
    await expect(page.getByRole('button', { name: 'Send code' })).toBeEnabled()
  })

  test('leads to the first field that is missing', async ({ page }) => {
    await page.goto('/ui/recover-password')
    await page.getByLabel('Email').fill('ann@example.org')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  })
})

test.describe('profile', () => {
  test('saves only what changed, speaks the chosen language at once and knows who one is now', async ({
    page,
    server,
    problems,
  }) => {
    let user = admin
    server.answer('GET /v1/user', () => ({ json: user }))
    server.answer('PATCH /v1/user', (request) => {
      user = { ...user, ...request.postDataJSON() }
      return {}
    })
    await page.goto('/ui/profile/me/edit')
    await page.getByLabel('Full name').fill('Ann Other')
    await page.getByLabel('Language').selectOption('ru')
    await page.getByLabel('Full name').press('Enter')
    await expect(page.getByRole('button', { name: 'Сохранить' })).toBeVisible()
    expect(bodyOf(server, 'PATCH /v1/user')).toEqual({ fullName: 'Ann Other', language: 'ru' })
    await page.getByRole('link', { name: 'Сведения' }).click()
    await expect(page.getByRole('heading', { name: 'Ann Other' })).toBeVisible()
    expect(problems).toEqual([])
  })

  test('what was pressed keeps the focus while it is at work and afterwards', async ({ page, server }) => {
    const saved = Promise.withResolvers<void>()
    server.answer('PATCH /v1/user', async () => {
      await saved.promise
      return {}
    })
    await page.goto('/ui/profile/me/edit')
    await page.getByLabel('Full name').fill('Ann Other')
    const save = page.getByRole('button', { name: 'Save' })
    await save.press('Enter')
    await expect(save).toBeDisabled()
    await save.press('Enter')
    await expect(save).toBeFocused()
    saved.resolve()
    await expect(toast(page, 'Profile has been updated')).toBeVisible()
    await expect(save).toBeFocused()
    expect(server.count('PATCH /v1/user')).toBe(1)
  })

  test('puts a wrong old password beside its field and not into a toast', async ({ page, server }) => {
    server.answer('PATCH /v1/user', { status: 400, json: { code: 'InvalidOldPassword' } })
    await page.goto('/ui/profile/me/edit')
    await page.getByLabel('New password').fill('new')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByLabel('Old password')).toBeFocused()
    expect(server.count('PATCH /v1/user')).toBe(0)
    await page.getByLabel('Old password').fill('wrong')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByLabel('Old password')).toHaveAccessibleDescription('Invalid old password')
    await expect(page.getByRole('region', { name: 'Notifications' })).toBeEmpty()
    await expect(page.getByLabel('New password')).toHaveValue('new')
    expect(bodyOf(server, 'PATCH /v1/user')).toEqual({ password: 'new', oldPassword: 'wrong' })
  })

  test('a new password revokes the API tokens unless one says otherwise', async ({ page, server, problems }) => {
    announce(server, 'token-revocation')
    server.answer('PATCH /v1/user', {})
    await page.goto('/ui/profile/me/edit')
    const choice = page.getByLabel('Revoke my API tokens')
    await page.getByLabel('Old password').fill('old')
    await expect(choice).toHaveCount(0)
    await page.getByLabel('New password').fill('new')
    await expect(choice).toBeChecked()
    await expect(choice).toHaveAccessibleDescription('Programs that use them lose their access at once.')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'Profile has been updated')).toBeVisible()
    expect(bodyOf(server, 'PATCH /v1/user')).toEqual({ password: 'new', oldPassword: 'old', revokeTokens: true })
    await expect(choice).toHaveCount(0)
    await page.getByLabel('Old password').fill('new')
    await page.getByLabel('New password').fill('newer')
    await choice.uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(choice).toHaveCount(0)
    expect(bodyOf(server, 'PATCH /v1/user')).toEqual({ password: 'newer', oldPassword: 'new', revokeTokens: false })
    expect(problems).toEqual([])
  })

  test('a password that must be changed leads on to where one was going', async ({ page, server }) => {
    let isIn = false
    server.answer('GET /v1/user', () => (isIn ? { json: admin } : signedOut))
    server.answer('POST /v1/sign-in', () => {
      isIn = true
      return { json: { mustChangePassword: true } }
    })
    server.answer('PATCH /v1/user', {})
    await page.goto('/ui/help?topic=keys')
    await page.getByLabel('Login').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('given')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByText('Your password was set by somebody else.')).toBeVisible()
    await page.getByLabel('Old password').fill('given')
    await page.getByLabel('New password').fill('own')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL('/ui/help?topic=keys')
    await expect(toast(page, 'Profile has been updated')).toBeVisible()
  })

  test('a managed user edits neither login, email nor password, but the rest', async ({ page, server }) => {
    server.answer('GET /v1/user', { json: { ...admin, isManaged: true } })
    await page.goto('/ui/profile/me/edit')
    for (const name of ['Email', 'Old password', 'New password']) await expect(page.getByLabel(name)).toBeDisabled()
    await expect(page.getByText('come from another system')).toBeVisible()
    for (const name of ['Full name', 'Language']) await expect(page.getByLabel(name)).toBeEnabled()
  })

  test('asks before something typed is left behind', async ({ page, server }) => {
    server.answer('GET /v1/tokens', { json: { items: [] } })
    await page.goto('/ui/profile/me/info')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Full name').fill('Somebody')
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await page.getByRole('link', { name: 'Tokens' }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL('/ui/profile/me/edit')
    await expect(page.getByLabel('Full name')).toHaveValue('Somebody')
    await page.evaluate(() => history.back())
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL('/ui/profile/me/info')
  })
})

test.describe('tokens', () => {
  test('makes one, shows its secret once, and deletes one when asked twice', async ({ page, server, problems }) => {
    const items = [{ id: 't1', name: 'wall display', expireTime: null }]
    server.answer('GET /v1/tokens', () => ({ json: { items } }))
    server.answer('POST /v1/token', (request) => {
      const created = { id: 't2', ...request.postDataJSON() }
      items.push(created)
      return { json: { ...created, token: 'secret-of-t2' } }
    })
    server.answer('DELETE /v1/token/t1', () => {
      items.shift()
      return { status: 204 }
    })
    await page.goto('/ui/profile/me/tokens')
    await expect(page).toHaveTitle('My tokens')
    await expect(page.getByText('1 token', { exact: true })).toBeVisible()
    await expect(page.getByText('Never expires')).toBeVisible()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name').fill('backup')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('secret-of-t2')).toBeVisible()
    await expect(page.getByText('2 tokens', { exact: true })).toBeVisible()
    expect(bodyOf(server, 'POST /v1/token')).toEqual({
      name: 'backup',
      expireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    })
    await page.getByRole('button', { name: 'Copy token' }).click()
    await expect(page.getByText('Copied.')).toBeVisible()
    await page.reload()
    await expect(page.getByText('backup')).toBeVisible()
    await expect(page.getByText('secret-of-t2')).toHaveCount(0)
    await page.getByRole('button', { name: 'Delete wall display' }).click()
    expect(server.count('DELETE /v1/token/t1')).toBe(0)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('The token wall display no longer works')).toBeVisible()
    await expect(page.getByText('1 token', { exact: true })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    expect(problems).toEqual([])
  })

  test('an error is read out and closed over an open dialog', async ({ page, server }) => {
    server.answer('GET /v1/tokens', { json: { items: [] } })
    server.answer('POST /v1/token', { status: 500, json: { code: 'InternalServerError' } })
    await page.goto('/ui/profile/me/tokens')
    await page.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create token' })
    await dialog.getByLabel('Name').fill('backup')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    const region = page.getByRole('region', { name: 'Notifications' })
    await expect(region.getByRole('alert')).toBeVisible()
    expect(await region.evaluate((element) => element.closest('[inert], [aria-hidden=true]'))).toBeNull()
    await region.getByRole('button', { name: 'Close notification' }).click()
    await expect(region.getByRole('alert')).toHaveCount(0)
    await expect(dialog.getByLabel('Name')).toHaveValue('backup')
  })

  test('asks for a name before it asks the server', async ({ page, server }) => {
    server.answer('GET /v1/tokens', { json: { items: [] } })
    await page.goto('/ui/profile/me/tokens')
    await expect(page.getByText('No tokens yet')).toBeVisible()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Name')).toBeFocused()
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/Fill this in/)
    expect(server.count('POST /v1/token')).toBe(0)
  })
})

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

test('sessions are listed newest first, in words, and ended when asked twice', async ({ page, server, problems }) => {
  let items = [
    { id: 's1', lastSeenTime: '2026-11-01T08:00:00.000Z', userAgent: phone, ip: '192.168.1.5', isCurrent: false },
    { id: 's2', lastSeenTime: '2026-11-21T08:00:00.000Z', userAgent: chrome, ip: '203.0.113.7', isCurrent: true },
    { id: 's3', lastSeenTime: '2026-11-11T08:00:00.000Z', userAgent: 'curl/8.5.0', ip: '127.0.0.1', isCurrent: false },
  ]
  server.answer('GET /v1/sessions', () => ({ json: { items } }))
  server.answer('DELETE /v1/session/s1', () => {
    items = items.filter(({ id }) => id !== 's1')
    return {}
  })
  server.answer('POST /v1/sessions/terminate', () => {
    items = items.filter(({ isCurrent }) => isCurrent)
    return {}
  })
  await page.goto('/ui/profile/me/sessions')
  const list = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(list).toHaveText([
    /Chrome 142 on Windows This session203\.0\.113\.7/,
    /curl.*the server's own machine/,
    /Safari 18 on iOS.*local network/,
  ])
  await page.getByRole('button', { name: 'End Safari 18 on iOS' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click()
  await expect(list).toHaveCount(2)
  await expect(toast(page, 'The session has ended')).toBeVisible()
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
  await expect(list).toHaveCount(1)
  await expect(page.getByText('1 session', { exact: true })).toBeVisible()
  await expect(toast(page, 'The other sessions have ended')).toBeVisible()
  expect(problems).toEqual([])
})

test.describe('users', () => {
  const bob = {
    name: 'bob',
    fullName: 'Bob Ray',
    email: 'bob@example.org',
    language: 'en',
    isAdmin: false,
    maxStreamCreation: 3,
    isBlocked: false,
  }

  test('are searched, sorted and counted', async ({ page, server, problems }) => {
    server.answer('GET /v1/users', { json: { items: [bob, { ...admin, isBlocked: true }] } })
    await page.goto('/ui/administration/users')
    await expect(page).toHaveTitle('Users')
    await expect(page.getByText('2 users', { exact: true })).toBeVisible()
    const rows = page.getByRole('table', { name: 'Users' }).locator('tbody').getByRole('row')
    await expect(rows).toHaveText([/^ann.*Administrator.*Blocked/, /^bob.*User.*Active/])
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(rows).toHaveText([/^bob/, /^ann/])
    await page.getByRole('searchbox', { name: 'Search users' }).fill('RAY')
    await expect(rows).toHaveText([/^bob/])
    await expect(page.getByText('1 of 2 users')).toBeVisible()
    await page.getByRole('link', { name: 'bob' }).click()
    await expect(page).toHaveURL('/ui/user/bob/info')
    expect(problems).toEqual([])
  })

  test('a new one keeps what was typed when the login is taken', async ({ page, server }) => {
    let isTaken = true
    server.answer('POST /v1/user', () => (isTaken ? { status: 409, json: { code: 'AlreadyUsed' } } : {}))
    server.answer('GET /v1/user/bob', { json: bob })
    await page.goto('/ui/user/add')
    await page.getByLabel('Login').fill('bob')
    await page.getByLabel('Password', { exact: true }).fill('p')
    await page.getByLabel('Max streams').fill('3')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByLabel('Login')).toHaveAccessibleDescription('Already used')
    await expect(page.getByLabel('Login')).toBeFocused()
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('p')
    isTaken = false
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page).toHaveURL('/ui/user/bob/info')
    await expect(toast(page, 'bob has been added')).toBeVisible()
    expect(bodyOf(server, 'POST /v1/user')).toEqual({
      name: 'bob',
      fullName: '',
      email: '',
      password: 'p',
      language: '',
      permissionType: 'user',
      maxStreamCreation: 3,
    })
  })

  test('are blocked, unblocked and deleted, and the last administrator stays', async ({ page, server, problems }) => {
    let isBlocked = false
    server.answer('GET /v1/user/bob', () => ({ json: { ...bob, isBlocked } }))
    server.answer('GET /v1/users', { json: { items: [admin] } })
    server.answer('POST /v1/user/bob/block', () => {
      isBlocked = true
      return {}
    })
    server.answer('POST /v1/user/bob/unblock', () => {
      isBlocked = false
      return {}
    })
    let isLast = true
    server.answer('DELETE /v1/user/bob', () => (isLast ? { status: 409, json: { code: 'ActionNotAcceptable' } } : {}))
    await page.goto('/ui/user/bob')
    await page.getByRole('button', { name: 'Block' }).click()
    await page.getByRole('alertdialog', { name: 'Block bob?' }).getByRole('button', { name: 'Block' }).click()
    await expect(page.getByText('Blocked', { exact: true })).toBeVisible()
    await expect(toast(page, 'bob has been blocked')).toBeVisible()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await expect(page.getByText('Active', { exact: true })).toBeVisible()
    await expect(toast(page, 'bob may sign in again')).toBeVisible()
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Delete bob?' })).toContainText(
      'sessions, tokens and permissions',
    )
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, "The last administrator can't be removed, blocked or made an ordinary user")).toBeVisible()
    isLast = false
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page).toHaveURL('/ui/administration/users')
    await expect(toast(page, 'bob has been deleted')).toBeVisible()
    expect(problems).toEqual([])
  })

  test('show their API tokens, which an administrator revokes when asked twice', async ({ page, server, problems }) => {
    let items = [
      { id: 't1', name: 'wall', expireTime: null },
      { id: 't2', name: 'backup', expireTime: '2020-01-01T00:00:00.000Z' },
    ]
    server.answer('GET /v1/user/bob/sessions', { json: { items: [] } })
    server.answer('GET /v1/user/bob/tokens', () => ({ json: { items } }))
    server.answer('DELETE /v1/user/bob/token/t1', () => {
      items = items.filter(({ id }) => id !== 't1')
      return {}
    })
    await page.goto('/ui/user/bob/sessions')
    await expect(page.getByRole('heading', { name: 'Where bob is signed in' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'API tokens' })).toHaveCount(0)
    expect(server.count('GET /v1/user/bob/tokens')).toBe(0)
    announce(server, 'user-tokens')
    await page.reload()
    const section = page.getByRole('region', { name: 'API tokens' })
    await expect(section.getByRole('listitem')).toHaveText([/wall.*Never expires/, /backup.*Expired/])
    await expect(section.getByText('2 tokens', { exact: true })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await section.getByRole('button', { name: 'Revoke wall' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Revoke the token wall?' })
    await expect(dialog).toContainText('Programs of bob that use wall lose their access at once.')
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await expect(toast(page, 'The token wall no longer works')).toBeVisible()
    await expect(section.getByRole('listitem')).toHaveText([/backup/])
    expect(server.count('DELETE /v1/user/bob/token/t1')).toBe(1)
    expect(problems).toEqual([])
  })

  test('lose their API tokens with being blocked, where the server revokes them', async ({ page, server }) => {
    server.answer('GET /v1/user/bob', { json: bob })
    const asked = async () => {
      await page.goto('/ui/user/bob/info')
      await page.getByRole('button', { name: 'Block' }).click()
      return page.getByRole('alertdialog', { name: 'Block bob?' }).textContent()
    }
    expect(await asked()).toContain('the tokens stop working')
    announce(server, 'token-revocation')
    expect(await asked()).toContain('the API tokens are revoked for good')
  })

  test('one who does not exist leads to not found', async ({ page, server }) => {
    server.answer('GET /v1/user/bob', { json: bob })
    for (const part of ['', '/permissions', '/sessions']) server.answer(`GET /v1/user/nobody${part}`, notFound)
    for (const path of ['info', 'edit', 'permission', 'sessions']) {
      await page.goto(`/ui/user/nobody/${path}`)
      await expect(page).toHaveTitle('Page not found')
    }
  })

  test('only what changed is saved, and a changed login is followed', async ({ page, server }) => {
    server.answer('GET /v1/user/bob', { json: bob })
    server.answer('GET /v1/user/robert', { json: { ...bob, name: 'robert' } })
    server.answer('PATCH /v1/user/bob', {})
    await page.goto('/ui/user/bob/edit')
    await page.getByLabel('Login').fill('robert')
    await page.getByLabel('Role').selectOption('admin')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL('/ui/user/robert/edit')
    await expect(toast(page, 'robert has been saved')).toBeVisible()
    expect(bodyOf(server, 'PATCH /v1/user/bob')).toEqual({ name: 'robert', permissionType: 'admin' })
  })

  test('are granted thousands of streams at once', async ({ page, server, problems }) => {
    const streams = Array.from({ length: 3000 }, (_, at) => ({ uid: `s${at}`, name: `Camera ${at}` }))
    server.answer('GET /v1/streams', (request) => {
      const query = new URL(request.url()).searchParams
      const number = Number(query.get('page'))
      const found = streams.filter(({ name }) =>
        query.getAll('searchingValues').every((value) => name.toLowerCase().includes(value)),
      )
      return {
        json: { items: found.slice((number - 1) * 50, number * 50), page: number, pageSize: 50, total: found.length },
      }
    })
    server.answer('GET /v1/user/bob', { json: bob })
    const granted = [{ uid: 's7', name: 'Camera 7', canView: true, canViewArchive: false, canAdmin: false }]
    server.answer('GET /v1/user/bob/permissions', { json: { permissions: granted } })
    server.answer('POST /v1/user/bob/permissions', (request) => ({ json: request.postDataJSON() }))
    await page.goto('/ui/user/bob/permission')
    await expect(page.getByText('3,000 streams')).toBeVisible()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    await expect(page.getByRole('checkbox', { name: 'Camera 7: Live' })).toBeChecked()
    await page.getByRole('searchbox', { name: 'Search streams' }).fill('camera 29')
    await expect(page.getByText('111 streams')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Choose all' }).click()
    await expect(page.getByText('111 streams chosen')).toBeVisible()
    expect(server.count('GET /v1/streams')).toBe(4)
    await page.getByRole('button', { name: 'Allow: Archive' }).click()
    await page.getByRole('button', { name: 'Only granted' }).click()
    await expect(page.getByText('111 streams', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'Permissions have been saved')).toBeVisible()
    const { permissions } = JSON.parse(JSON.stringify(bodyOf(server, 'POST /v1/user/bob/permissions')))
    expect(permissions.length).toBe(112)
    expect(permissions).toContainEqual(granted[0])
    expect(permissions).toContainEqual({
      uid: 's2999',
      name: 'Camera 2999',
      canView: true,
      canViewArchive: true,
      canAdmin: false,
    })
    expect(problems).toEqual([])
  })
})
