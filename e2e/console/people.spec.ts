import { expect, type Page } from 'playwright/test'
import { axeFindings } from '../axe.ts'
import { bob, settings, signedOut, type FakeServer } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'

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
    await expect(page.getByText(/You can request another code in \d+ s/)).toBeVisible()
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
})

test.describe('profile', () => {
  test(
    'what was pressed keeps the focus while it is at work and afterwards',
    { tag: '@long' },
    async ({ page, server }) => {
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
    },
  )

  test(
    'a new password revokes the API tokens unless one says otherwise',
    { tag: '@long' },
    async ({ page, server, problems }) => {
      announce(server, 'token-revocation')
      server.answer('PATCH /v1/user', {})
      await page.goto('/ui/profile/me/edit')
      const choice = page.getByLabel('Revoke my API tokens')
      await page.getByLabel('Old password').fill('old')
      await expect(choice).toHaveCount(0)
      await page.getByLabel('New password').fill('new')
      await expect(choice).toBeChecked()
      await expect(choice).toHaveAccessibleDescription('Programs that use them lose access immediately.')
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
    },
  )

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
  test('one is created, its secret shown once, and one is deleted after a confirmation', async ({
    page,
    server,
    problems,
  }) => {
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
    await expect(page.getByText('The token has been deleted')).toBeVisible()
    await expect(page.getByText('1 token', { exact: true })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    expect(problems).toEqual([])
  })
})

test.describe('users', () => {
  test(
    'show their API tokens, which an administrator revokes after a confirmation',
    { tag: '@long' },
    async ({ page, server, problems }) => {
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
      await expect(dialog).toContainText('Programs of bob that use wall lose access immediately.')
      expect(await axeFindings(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Revoke' }).click()
      await expect(toast(page, 'The token has been deleted')).toBeVisible()
      await expect(section.getByRole('listitem')).toHaveText([/backup/])
      expect(server.count('DELETE /v1/user/bob/token/t1')).toBe(1)
      expect(problems).toEqual([])
    },
  )

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
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await expect(page.getByText('111 streams selected')).toBeVisible()
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
