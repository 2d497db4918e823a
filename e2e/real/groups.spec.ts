import { type PlaywrightWorkerArgs, expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { signInAs } from '../screens/setup.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { administrator } from './session.ts'

const server = ownServer(14, { args: ['--no-demo'] })
const bob = { name: 'bob', password: 'of my own choice' }

const signedIn = async (playwright: PlaywrightWorkerArgs['playwright'], account: typeof bob) => {
  const request = await playwright.request.newContext({
    baseURL: server.address,
    extraHTTPHeaders: { origin: server.address },
  })
  await signInAs(request, server.address, account)
  return request
}

test.use({ baseURL: server.address })
test.beforeAll(async ({ playwright }) => {
  await server.start()
  const admin = await signedIn(playwright, administrator)
  for (const name of ['Gate', 'Yard'])
    await admin.post('/v1/stream', { data: { name, streamSource: 'demo:gate', live: { onDemand: true } } })
  const handedOver = 'handed over 99'
  await admin.post('/v1/user', {
    data: { name: bob.name, password: handedOver, permissionType: 'user', maxStreamCreation: 0 },
  })
  const user = await signedIn(playwright, { ...bob, password: handedOver })
  await user.patch('/v1/user', { data: { oldPassword: handedOver, password: bob.password } })
  await Promise.all([admin.dispose(), user.dispose()])
})
test.afterAll(() => server.dispose())

for (const look of looks) {
  test(`groups of users and of streams: made, filled, effective for a user at once, deleted, in ${look.language}`, async ({
    browser,
  }) => {
    const admin = await visit(browser, server.address, look)
    const user = await visit(browser, server.address, look)
    const { page, t, field, press } = admin
    const button = (name: string) => page.getByRole('button', { name: t(name), exact: true })
    const add = async (kind: 'Add user group' | 'Add stream group', name: string) => {
      await page.goto('/ui/administration/groups')
      await press(kind)
      await expect(field('Name')).toBeFocused()
      await field('Name').fill(name)
      await field('Name').press('Enter')
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    }
    const choose = (member: string) =>
      page
        .getByRole('listbox', { name: t('Members') })
        .getByRole('option', { name: member, exact: true })
        .click()
    const save = async (name: string) => {
      await press('Save')
      await expect(page.getByText(t('The group {name} has been saved', { name }))).toBeVisible()
      await expect(button('Discard changes')).toBeDisabled()
    }
    const seen = (stream: string) => user.page.getByRole('link', { name: stream })

    await user.signIn(bob.name, bob.password)
    await expect(user.page.getByText(t('No streams yet'))).toBeVisible()
    await admin.signIn(administrator.name, administrator.password)
    await page.goto('/ui/administration/groups')
    await expect(page.getByText(t('No user groups yet'))).toBeVisible()
    await admin.expectClean()

    await add('Add stream group', 'Outdoors')
    await choose('Gate')
    await save('Outdoors')
    await add('Add user group', 'Guards')
    await choose(bob.name)
    const tabs = page
      .getByRole('navigation', { name: t('Toolbar') })
      .getByRole('list')
      .nth(1)
    await expect(tabs.getByRole('link', { name: t('Groups') })).toBeInViewport()
    await expect(tabs.getByRole('link', { name: t('Groups') })).toHaveAttribute('aria-current', 'true')
    if (look.viewport.width < 616)
      expect(
        await tabs
          .getByRole('link')
          .evaluateAll((links) => new Set(links.map((link) => link.getBoundingClientRect().top)).size),
      ).toBe(1)
    await page.getByRole('checkbox', { name: `Outdoors: ${t('Live')}` }).check()
    await admin.expectClean()
    await save('Guards')
    await page.goto('/ui/administration/groups')
    await expect(page.getByRole('table', { name: t('Stream groups') }).getByRole('link')).toHaveText(['Outdoors'])
    await admin.expectClean()

    await user.page.reload()
    await expect(seen('Gate').first()).toBeVisible()
    await expect(seen('Yard')).toHaveCount(0)
    await user.expectClean()
    await page.goto(`/ui/user/${bob.name}/permission`)
    const byGroup = { en: 'Live through group Guards', ru: 'Guards' }[look.language]
    await expect(page.getByRole('row', { name: /Gate/ })).toContainText(byGroup)
    await admin.expectClean()

    await page.goto('/ui/administration/groups')
    for (const name of ['Guards', 'Outdoors']) {
      await page.getByRole('button', { name: t('Delete {0}', { 0: name }) }).click()
      await page
        .getByRole('alertdialog', { name: t('Delete the group {name}?', { name }) })
        .getByRole('button', { name: t('Delete'), exact: true })
        .click()
      await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
    }
    await expect(seen('Gate')).toHaveCount(0)
    await user.expectClean()
    await admin.expectClean()
    await Promise.all([admin.context.close(), user.context.close()])
  })
}
