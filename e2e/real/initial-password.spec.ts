import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { signInAs } from '../screens/setup.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { administrator } from './session.ts'

const data = join(tmpdir(), `sightline-initial-password-${process.pid}`)
const server = ownServer(16, { args: ['--no-demo'], data })
const passwords = { given: 'handed over 99', again: 'handed over 100', own: 'of my own choice' }

test.use({ baseURL: server.address })
test.beforeAll(async ({ playwright }) => {
  await server.start()
  const admin = await playwright.request.newContext({
    baseURL: server.address,
    extraHTTPHeaders: { origin: server.address },
  })
  await signInAs(admin, server.address, administrator)
  for (const { language } of looks)
    await admin.post('/v1/user', {
      data: { name: `bob-${language}`, password: passwords.given, permissionType: 'user', maxStreamCreation: 0 },
    })
  await admin.dispose()
  await server.kill()
  // As if the passwords had been given a month ago.
  const database = new DatabaseSync(join(data, 'sightline.db'))
  database.exec('UPDATE users SET password_given_at = password_given_at - 31 * 86400000 WHERE must_change_password = 1')
  database.close()
  await server.start()
})
test.afterAll(() => server.dispose())

for (const look of looks) {
  test(`an expired initial password is refused until an administrator gives another, in ${look.language}`, async ({
    browser,
  }) => {
    const login = `bob-${look.language}`
    const user = await visit(browser, server.address, look)
    const { page, t, field, press } = user
    const enter = async (password: string) => {
      await field('Login').fill(login)
      await field('Password').fill(password)
      await press('Sign in')
    }
    await page.goto('/ui/auth')
    await enter(passwords.given)
    await expect(page.getByText(t('This password has expired. Ask your administrator for a new one.'))).toBeVisible()
    await expect(page).toHaveURL('/ui/auth')
    await expect(field('Login')).toHaveValue(login)
    await user.expectClean()

    const admin = await visit(browser, server.address, look)
    await admin.signIn(administrator.name, administrator.password)
    await admin.page.goto(`/ui/user/${login}/edit`)
    await admin.field('New password').fill(passwords.again)
    await admin.press('Save')
    await expect(admin.page.getByText(t('The user has been saved'))).toBeVisible()
    await admin.expectClean()

    await enter(passwords.again)
    await expect(page).toHaveURL('/ui/profile/me/edit')
    await field('Old password').fill(passwords.again)
    await field('New password').fill(passwords.own)
    await user.expectClean()
    await press('Save')
    await expect(page.getByText(t('Profile has been updated'))).toBeVisible()
    await expect(page).toHaveURL('/ui/streams')
    user.expectNoProblems()
    await Promise.all([user.context.close(), admin.context.close()])
  })
}
