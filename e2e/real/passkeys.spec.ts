import { expect } from 'playwright/test'
import { axeFindings } from '../axe.ts'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { wordsOf } from './words.ts'

const server = ownServer(7, { args: ['--no-demo'] })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

test('a passkey is added, used instead of login and password, and removed', async ({ browser }) => {
  const t = wordsOf('en')
  // Browsers bind no passkeys to an IP address.
  const context = await browser.newContext({ baseURL: server.address.replace('127.0.0.1', 'localhost') })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const field = (name: string) => page.getByLabel(t(name), { exact: true })
  const press = (name: string) => page.getByRole('button', { name: t(name), exact: true }).click()

  await page.goto('/ui/auth')
  await field('Login').fill('admin')
  await field('Password').fill('correct horse battery')
  await press('Sign in')
  await expect(page).toHaveURL('/ui/streams')
  await page.goto('/ui/profile/me/info')
  await press('Add passkey')
  await field('Name').fill('This laptop')
  await field('Password').fill('correct horse battery')
  await press('Continue')
  const passkey = page.getByRole('region', { name: t('Passkeys') }).getByRole('listitem')
  await expect(passkey).toContainText('This laptop')
  await expect(passkey).toContainText('Not used yet')
  expect(await axeFindings(page)).toEqual([])

  await context.clearCookies()
  await page.goto('/ui/auth')
  await expect(page.getByRole('button', { name: t('Sign in with a passkey') })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await press('Sign in with a passkey')
  await expect(page).toHaveURL(/\/ui\/(?:profile\/me\/info|streams)$/)
  await page.goto('/ui/profile/me/info')
  await expect(passkey).toContainText('Last used')

  await page.getByRole('button', { name: t('Remove {name}', { name: 'This laptop' }) }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('Remove'), exact: true })
    .click()
  await expect(page.getByText(t('No passkeys yet'))).toBeVisible()
  const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials.map(({ rpId, isResidentCredential }) => ({ rpId, isResidentCredential }))).toEqual([
    { rpId: 'localhost', isResidentCredential: true },
  ])
  await context.close()
})
