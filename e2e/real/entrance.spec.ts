import { type Page, expect } from 'playwright/test'
import { problemsOf } from '../problems.ts'
import { test } from '../test.ts'
import { administrator, signIn } from './session.ts'

test.use({ hasDemo: false })

/** The console's own code isn't there until `release`. */
async function holdConsole(page: Page): Promise<{ release: () => void }> {
  const held = Promise.withResolvers<void>()
  await page.route('**/ui/assets/index-*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  return { release: held.resolve }
}

/** The server's answer that nobody is signed in. */
const signedOut = /status of 401/

/** The position and size of everything on the page, in pixels. */
const boxesIn = (page: Page) =>
  page
    .locator('main *')
    .evaluateAll((all) => all.map((one) => `${one.tagName} ${JSON.stringify(one.getBoundingClientRect())}`))

test('the sign-in page can be filled in and sent before the console is there', async ({ page }) => {
  const problems = problemsOf(page, signedOut)
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
  })
  const { release } = await holdConsole(page)
  await page.goto('/ui/', { waitUntil: 'commit' })
  await expect(page.getByLabel('Login')).toBeFocused()
  await page.keyboard.type(administrator.name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(administrator.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toHaveAttribute('aria-busy', 'true')
  expect(posts).toEqual([])
  release()
  await expect(page).toHaveURL('/ui/streams')
  expect({ posts, problems }).toEqual({ posts: ['/v1/sign-in'], problems: [] })
})

test('the console takes it over without a change: the fields, what is in them, the caret and the layout', async ({
  page,
}) => {
  const problems = problemsOf(page, signedOut)
  await page.emulateMedia({ colorScheme: 'light' })
  const { release } = await holdConsole(page)
  await page.goto('/ui/auth', { waitUntil: 'commit' })
  const login = page.getByLabel('Login')
  await login.fill('somebody')
  await login.press('ArrowLeft')
  const field = await login.elementHandle()
  const before = await boxesIn(page)
  const theme = await page.evaluate(() => document.documentElement.dataset['theme'])
  release()
  await page.waitForResponse('**/v1/user')
  await expect(page).toHaveTitle('Authorization')
  expect(await field?.evaluate((one) => one.isConnected && one === document.activeElement)).toBe(true)
  expect({
    value: await login.inputValue(),
    caret: await login.evaluate((one) => (one instanceof HTMLInputElement ? one.selectionStart : null)),
    boxes: await boxesIn(page),
    theme: await page.evaluate(() => document.documentElement.dataset['theme']),
    problems,
  }).toEqual({ value: 'somebody', caret: 7, boxes: before, theme, problems: [] })
  expect(theme).toBe('light')
  await login.press('End')
  await page.keyboard.type('!')
  await expect(login).toHaveValue('somebody!')
})

test('whoever is signed in gets no such page', async ({ page }) => {
  await signIn(page)
  const answer = await page.goto('/ui/')
  expect(await answer?.text()).not.toContain('<template')
  await expect(page).toHaveURL('/ui/streams')
})
