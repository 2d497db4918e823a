import { type BrowserContext, type CDPSession, type Page, expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { signInAs } from '../screens/setup.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { administrator } from './session.ts'

const server = ownServer(7, { args: ['--no-demo'] })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

// Browsers bind no passkeys to an IP address.
const address = server.address.replace('127.0.0.1', 'localhost')

/** A device that confirms whatever it is asked. */
const addAuthenticator = async (context: BrowserContext, page: Page): Promise<{ devTools: CDPSession; id: string }> => {
  const devTools = await context.newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId: id } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devTools, id }
}

for (const look of looks) {
  test(
    `a passkey is added, used instead of login and password, and removed, in ${look.language}`,
    { tag: look.language === 'en' ? [] : '@long' },
    async ({ browser }) => {
      const { context, page, t, field, press, signIn, expectClean } = await visit(browser, address, look)
      const { devTools, id: authenticatorId } = await addAuthenticator(context, page)
      await signIn(administrator.name, administrator.password)
      await page.goto('/ui/profile/me/info')
      await press('Add passkey')
      await field('Name').fill('This laptop')
      await field('Password').fill(administrator.password)
      await press('Continue')
      const passkey = page.getByRole('region', { name: t('Passkeys') }).getByRole('listitem')
      await expect(passkey).toContainText('This laptop')
      await expect(passkey).toContainText(t('Not used yet, added {words}', { words: '' }).trim())
      await expectClean()

      await context.clearCookies()
      await page.goto('/ui/auth')
      await expect(page.getByRole('button', { name: t('Sign in with a passkey') })).toBeVisible()
      await expectClean()
      await press('Sign in with a passkey')
      await expect(page).toHaveURL(/\/ui\/(?:profile\/me\/info|streams)$/)
      await page.goto('/ui/profile/me/info')
      await expect(passkey).toContainText(t('Last used {words}', { words: '' }).trim())

      await page.getByRole('button', { name: t('Remove {name}', { name: 'This laptop' }) }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: t('Remove'), exact: true })
        .click()
      await expect(page.getByText(t('No passkeys yet'))).toBeVisible()
      await expectClean()
      const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId })
      expect(credentials.map(({ rpId, isResidentCredential }) => ({ rpId, isResidentCredential }))).toEqual([
        { rpId: 'localhost', isResidentCredential: true },
      ])
      await context.close()
    },
  )

  test(
    `an administrator removes the passkey of a user, who is signed out and needs the password, in ${look.language}`,
    {
      tag: '@long',
    },
    async ({ browser, playwright }) => {
      const bob = { name: `bob-${look.language}`, password: 'of my own choice' }
      const handedOver = 'handed over 99'
      const origin = server.address
      const caller = async (account: typeof bob) => {
        const request = await playwright.request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } })
        await signInAs(request, origin, account)
        return request
      }
      const admin = await caller(administrator)
      const data = { name: bob.name, password: handedOver, permissionType: 'user', maxStreamCreation: 0 }
      await admin.post('/v1/user', { data: { ...data, language: look.language } })
      const invited = await caller({ ...bob, password: handedOver })
      await invited.patch('/v1/user', { data: { oldPassword: handedOver, password: bob.password } })
      await Promise.all([admin.dispose(), invited.dispose()])

      const user = await visit(browser, address, look)
      const { t } = user
      await addAuthenticator(user.context, user.page)
      await user.signIn(bob.name, bob.password)
      await user.page.goto('/ui/profile/me/info')
      await user.press('Add passkey')
      await user.field('Name').fill('Phone')
      await user.field('Password').fill(bob.password)
      await user.press('Continue')
      await expect(user.page.getByRole('listitem').filter({ hasText: 'Phone' })).toBeVisible()

      const { page, signIn, expectClean, expectNoProblems } = await visit(browser, address, { ...look })
      await signIn(administrator.name, administrator.password)
      await page.goto(`/ui/user/${bob.name}/info`)
      const passkeys = page.getByRole('region', { name: t('Passkeys') })
      await expect(passkeys.getByRole('listitem')).toContainText('Phone')
      await passkeys.getByRole('button', { name: t('Remove {name}', { name: 'Phone' }) }).click()
      const asking = page.getByRole('alertdialog', {
        name: t('Remove the passkey {name} of {login}?', { name: 'Phone', login: bob.name }),
      })
      await expect(asking).toBeVisible()
      await expectClean()
      await asking.getByRole('button', { name: t('Remove'), exact: true }).click()
      await expect(passkeys.getByText(t('This user signs in without passkeys.'))).toBeVisible()
      await expectClean()

      await user.page.goto('/ui/profile/me/info')
      await expect(user.page).toHaveURL('/ui/auth')
      await user.press('Sign in with a passkey')
      await expect(user.page.getByText(t('The passkey was not accepted. Sign in with your password.'))).toBeVisible()
      await user.field('Login').fill(bob.name)
      await user.field('Password').fill(bob.password)
      await user.press('Sign in')
      await expect(user.page).toHaveURL('/ui/profile/me/info')
      await expect(user.page.getByText(t('No passkeys yet'))).toBeVisible()
      expectNoProblems()
      user.expectNoProblems()
      await Promise.all([page.context().close(), user.context.close()])
    },
  )
}
