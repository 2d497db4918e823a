import { expect } from 'playwright/test'
import { client, startOidcServer } from '../../tests/server/oidc-server.ts'
import { axeFindings } from '../axe.ts'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'

test('single sign-on: refused with a reason, then in at the wanted address', async ({ browser }) => {
  const env: NodeJS.ProcessEnv = {}
  const server = ownServer(11, { args: ['--no-demo'], env })
  const provider = await startOidcServer(`${server.address}/v1/user/oidc/callback`)
  Object.assign(env, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    OIDC_NAME: 'Example ID',
  })
  try {
    await server.start()
    const context = await browser.newContext({ baseURL: server.address, locale: 'en-GB' })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => {
      if (!/status of 401/.test(message.text())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    provider.people.set('7', { preferred_username: 'eve', name: 'Eve Example' })

    await page.goto('/ui/profile/me/info')
    await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await expect(page.getByRole('alert')).toHaveText('The single sign-on service has refused the sign-in.')
    expect(await axeFindings(page)).toEqual([])
    provider.letIn('7')
    await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await expect(page).toHaveURL('/ui/profile/me/info')
    await expect(page.getByRole('heading', { name: 'Eve Example' })).toBeVisible()
    await expect(page.getByText(/come from another system/)).toBeVisible()
    expect(problems).toEqual([])
    await context.close()
  } finally {
    await server.dispose()
    await provider.close()
  }
})
