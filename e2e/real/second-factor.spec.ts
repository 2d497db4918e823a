import { Secret, TOTP } from 'otpauth'
import { expect } from 'playwright/test'
import { problemsOf } from '../problems.ts'
import { axeFindings } from '../axe.ts'
import { ownServer } from '../own-server.ts'
import { layoutFindings } from '../screens/setup.ts'
import { test } from '../test.ts'
import { looks } from './journey.ts'
import { wordsOf } from './words.ts'

const codeAt = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp })

/** Of the next period, as the code that turned it on isn't accepted again. */
const nextCode = (secret: string): string => codeAt(secret, Date.now() + 30_000)

const login = 'admin'
const password = 'correct horse battery'
const required =
  'This server requires two-factor authentication. Turn it on below to continue; the requested page opens afterwards.'

const server = ownServer(7, { args: ['--no-demo'] })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

for (const { language, ...look } of looks) {
  test(`a code of an app: turned on, asked for, replaced by a recovery code, turned off, in ${language}`, async ({
    browser,
  }) => {
    const t = wordsOf(language)
    const context = await browser.newContext({ baseURL: server.address, ...look })
    const page = await context.newPage()
    const problems = problemsOf(page, /status of 40[01]/)
    const field = (name: string) => page.getByLabel(t(name), { exact: true })
    const press = (name: string) => page.getByRole('button', { name: t(name), exact: true }).click()
    const signIn = async () => {
      await page.goto('/ui/auth')
      await field('Login').fill(login)
      await field('Password').fill(password)
      await press('Sign in')
    }

    await signIn()
    await expect(page).toHaveURL('/ui/streams')
    await page.goto('/ui/profile/me/info')
    await press('Turn on')
    await expect(field('Password')).toBeFocused()
    await field('Password').fill(password)
    await press('Continue')
    await expect(page.getByRole('img', { name: t('QR code') })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    const secret = (await page.locator('form code').textContent()) ?? ''
    await expect(field('Code')).toBeFocused()
    await field('Code').fill('12345')
    await press('Turn on')
    await expect(field('Code')).toHaveAccessibleDescription(new RegExp(t('This code is wrong or no longer works')))
    await expect(page.getByRole('region', { name: t('Notifications') }).getByRole('alert')).toHaveCount(0)
    await field('Code').fill(codeAt(secret, Date.now()))
    await field('Code').press('Enter')
    const codes = page.getByRole('group', { name: t('Recovery codes') })
    await expect(codes).toBeFocused()
    await expect(codes.getByRole('listitem')).toHaveCount(10)
    expect(await axeFindings(page)).toEqual([])
    const recoveryCode = (await codes.getByRole('listitem').first().textContent()) ?? ''
    await press('I have saved them')
    await expect(page.getByRole('button', { name: t('Turn off'), exact: true })).toBeVisible()

    await context.clearCookies()
    await signIn()
    await expect(field('Code')).toBeFocused()
    expect(await axeFindings(page)).toEqual([])
    await field('Code').fill('000000')
    await press('Sign in')
    await expect(field('Code')).toHaveAccessibleDescription(new RegExp(t('Wrong code, or already used')))
    await expect(page.getByRole('region', { name: t('Notifications') }).getByRole('alert')).toHaveCount(0)
    await press('Back')
    await expect(field('Password')).toHaveValue(password)
    await press('Sign in')
    await field('Code').fill(nextCode(secret))
    await press('Sign in')
    await expect(page).toHaveURL(/\/ui\/(?:profile\/me\/info|streams)$/)

    await context.clearCookies()
    await signIn()
    await field('Code').fill(recoveryCode)
    await field('Code').press('Enter')
    await expect(page).toHaveURL(/\/ui\/(?:profile\/me\/info|streams)$/)
    await page.goto('/ui/profile/me/info')
    await press('Turn off')
    await field('Password').fill(password)
    await press('Turn off')
    await expect(page.getByRole('button', { name: t('Turn on'), exact: true })).toBeVisible()
    await context.clearCookies()
    await signIn()
    await expect(page).toHaveURL(/\/ui\/(?:profile\/me\/info|streams)$/)
    expect(problems).toEqual([])
    await context.close()
  })
}

for (const { language, ...look } of looks) {
  const tag = language === 'en' ? [] : '@long'

  test(
    `where it is required, one is led to it after the password, and on to where one was going, in ${language}`,
    { tag },
    async ({ browser }) => {
      const t = wordsOf(language)
      const strict = ownServer(8, { args: ['--no-demo'], env: { SETTING_SIGN_IN_SECOND_FACTOR_OF: 'administrators' } })
      await strict.start()
      const context = await browser.newContext({ baseURL: strict.address, ...look })
      try {
        const page = await context.newPage()
        const field = (name: string) => page.getByLabel(t(name), { exact: true })
        const press = (name: string) => page.getByRole('button', { name: t(name), exact: true }).click()
        await page.goto('/ui/help?topic=keys')
        await field('Login').fill(login)
        await field('Password').fill(password)
        await press('Sign in')
        await expect(page).toHaveURL('/ui/profile/me/info')
        await expect(page.getByText(t(required))).toBeVisible()
        expect(await layoutFindings(page)).toEqual([])
        expect(await axeFindings(page)).toEqual([])
        await page.goto('/ui/streams')
        await expect(page).toHaveURL('/ui/profile/me/info')
        expect((await page.request.get('/v1/streams')).status()).toBe(403)
        await press('Turn on')
        await field('Password').fill(password)
        await press('Continue')
        const secret = (await page.locator('form code').textContent()) ?? ''
        await field('Code').fill(nextCode(secret))
        await press('Turn on')
        await press('I have saved them')
        await expect(page).toHaveURL('/ui/help?topic=keys')
        expect((await page.request.get('/v1/streams')).status()).toBe(200)
      } finally {
        await context.close()
        await strict.dispose()
      }
    },
  )
}
