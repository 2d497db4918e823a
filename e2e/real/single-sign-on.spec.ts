import { expect } from 'playwright/test'
import { client, startOidcServer } from '../../tests/server/fixtures/oidc-server.ts'
import { ownServer } from '../own-server.ts'
import { signInAs } from '../screens/setup.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { administrator } from './session.ts'

const people = {
  en: { id: '7', login: 'eve', name: 'Eve Example' },
  ru: { id: '8', login: 'nina', name: 'Nina Example' },
}
const stranger = '9'

/** Filled in when the provider has a port. */
const env: NodeJS.ProcessEnv = {}
const server = ownServer(11, { args: ['--no-demo'], env })

test.use({ baseURL: server.address })

test('single sign-on: refused with a reason, in with the rights of the groups, out, and asked anew', async ({
  browser,
  playwright,
}) => {
  const provider = await startOidcServer(`${server.address}/v1/user/oidc/callback`)
  Object.assign(env, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    OIDC_NAME: 'Example ID',
    OIDC_SCOPE: 'openid profile email groups',
    OIDC_ALLOWED_GROUPS: 'guards,chiefs',
    OIDC_GROUP_RIGHTS: 'guards=canView:Gate*;chiefs=canView,canViewArchive:*',
  })
  provider.people.set(stranger, { preferred_username: 'mallory', groups: ['visitors'] })
  try {
    await server.start()
    const admin = await playwright.request.newContext({ baseURL: server.address })
    await signInAs(admin, server.address, administrator)
    for (const name of ['Gate', 'Yard']) {
      const data = { name, streamSource: 'demo:gate', live: { onDemand: true } }
      await admin.post('/v1/stream', { headers: { origin: server.address }, data })
    }
    for (const look of looks) {
      const { context, page, t, press, expectClean } = await visit(browser, server.address, look)
      const { id, login, name } = people[look.language]
      const button = page.getByRole('link', { name: t('Sign in with {name}', { name: 'Example ID' }) })
      const reason = page.getByRole('alert')
      const listed = (stream: string) => page.getByRole('link', { name: stream })
      provider.people.set(id, { preferred_username: login, name, groups: ['guards'] })

      await page.goto('/ui/profile/me/info')
      provider.letIn(undefined)
      await button.click()
      await expect(reason).toHaveText(t('The single sign-on service has refused the sign-in.'))
      provider.letIn(stranger)
      await button.click()
      await expect(reason).toHaveText(t('You have no access to this server. Ask your administrator.'))
      await expectClean()
      provider.letIn(id)
      await context.clearCookies({ name: /^_/ })
      await button.click()
      await expect(page).toHaveURL('/ui/profile/me/info')
      await expect(page.getByRole('heading', { name })).toBeVisible()
      await expect(
        page.getByText(t('Your login, email and password come from another system and are changed there.')),
      ).toBeVisible()
      await expectClean()
      await page.goto('/ui/streams')
      await expect(listed('Gate').first()).toBeVisible()
      await expect(listed('Yard')).toHaveCount(0)

      await press('Menu')
      await page.getByRole('menuitem', { name: t('Log out') }).click()
      await expect(page).toHaveURL('/ui/auth')
      // Who has signed out is asked for the password of the provider again.
      provider.letIn(undefined)
      await button.click()
      await expect(reason).toHaveText(t('The single sign-on service has refused the sign-in.'))
      provider.letIn(id)
      provider.people.set(id, { preferred_username: login, name, groups: ['chiefs'] })
      await button.click()
      await expect(page).toHaveURL('/ui/streams')
      await expect(listed('Yard').first()).toBeVisible()
      await expectClean()
      await context.close()
    }
    await admin.dispose()
  } finally {
    await server.dispose()
    await provider.close()
  }
})
