import { type Browser, type BrowserContext, type Page, expect } from 'playwright/test'
import { axeFindings } from '../axe.ts'
import { failedRequests, problemsOf } from '../problems.ts'
import { test } from '../test.ts'
import { type MailServer, codeIn, startMailServer } from '../../tests/server/fixtures/mail-server.ts'
import { type OwnServer, ownServer } from '../own-server.ts'
import { looks } from './journey.ts'
import { type Words, wordsOf } from './words.ts'

const ann = { login: 'ann', email: 'ann@example.org' }
const bob = { login: 'bob', email: 'bob@example.org' }
const passwords = {
  first: 'quiet harbour 41',
  second: 'wooden lantern 7',
  given: 'handed over 99',
  own: 'of my own choice',
}

/** One person before one browser, who reads the console in a language. */
interface Visitor {
  page: Page
  context: BrowserContext
  /** What the browser's console complained of, but for errors that a journey asks for. */
  problems: string[]
  field: (message: string) => ReturnType<Page['getByLabel']>
  press: (message: string, values?: Record<string, string>) => Promise<void>
  toast: (message: string, values?: Record<string, string>) => ReturnType<Page['getByText']>
  signIn: (login: string, password: string) => Promise<void>
  /** Chooses an entry of the header's menu. */
  choose: (message: string) => Promise<void>
}

for (const [index, { language, ...look }] of looks.entries()) {
  test.describe.serial(`people, in ${language}`, { tag: language === 'en' ? [] : '@long' }, () => {
    const t = wordsOf(language)
    let mail: MailServer
    let server: OwnServer
    let nextAddress = 1

    test.beforeAll(async () => {
      mail = await startMailServer()
      server = ownServer(5 + index, {
        args: ['--no-demo'],
        env: {
          ADMIN_LOGIN: '',
          ADMIN_PASSWORD: '',
          SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
          TRUST_PROXY: 'loopback',
        },
      })
      await server.start()
    })
    test.afterAll(async () => {
      await server.dispose()
      await mail.close()
    })

    /** Every visitor comes from an address of their own, so that no journey is held up by another's attempts. */
    const visit = (browser: Browser, change: { userAgent?: string } = {}) =>
      newVisitor(browser, t, { baseURL: server.address, ...look, ip: `203.0.113.${nextAddress++}`, ...change })

    test('the first start: one of two wins, the other is refused, and it is over for good', async ({ browser }) => {
      const [winner, loser] = [await visit(browser), await visit(browser)]
      for (const { page, field } of [winner, loser]) {
        await page.goto('/ui/')
        await expect(page).toHaveURL('/ui/init')
        await field('Login').fill(ann.login)
        await field('Email').fill(ann.email)
      }
      const { page, field, press } = winner
      const password = field('Password')
      await password.fill('short')
      await expect(page.getByText(t('Too short: use 8 characters or more'))).toBeVisible()
      await password.fill('password123')
      await expect(page.getByText(t('Easy to guess: add words that nobody would think of'))).toBeVisible()
      await password.press('Enter')
      await expect(password).toBeFocused()
      await expect(password).toHaveAccessibleDescription(
        t('Password is not complex enough: it is one of the most common ones'),
      )
      await password.fill(passwords.first)
      await expect(page.getByText(t('Strong'))).toBeVisible()
      await page.getByText(t('I have a license')).click()
      await field('License').fill('no such licence')
      await press('Create administrator')
      await expect(field('License')).toBeFocused()
      await expect(field('License')).toHaveAccessibleDescription(t('License is incorrect'))
      expect(await axeFindings(page)).toEqual([])
      await field('License').fill('')
      await press('Create administrator')
      await expect(page).toHaveURL('/ui/streams')
      await expect(page.getByRole('heading', { name: t('No streams yet') })).toBeVisible()
      await expect(page.getByRole('link', { name: t('Add the first stream') })).toBeVisible()

      await loser.field('Password').fill(passwords.second)
      await loser.press('Create administrator')
      await expect(loser.page.getByRole('alert')).toHaveText(
        t('This server is already set up. Sign in, or ask its administrator for a login.'),
      )
      await loser.press('Go to sign in')
      await expect(loser.page).toHaveURL('/ui/auth')
      await loser.page.goto('/ui/init')
      await expect(loser.page).toHaveURL('/ui/auth')
      await page.goto('/ui/init')
      await expect(page).toHaveURL('/ui/streams')
      await leave(winner, loser)
    })

    test('a forgotten password: the e-mail, the code, the wait over a reload', async ({ browser }) => {
      const elsewhere = await visit(browser)
      await elsewhere.page.goto('/ui/')
      await elsewhere.signIn(ann.login, passwords.first)
      await expect(elsewhere.page).toHaveURL('/ui/streams')

      const visitor = await visit(browser)
      const { page, field, press, toast } = visitor
      await page.goto('/ui/auth')
      await page.getByRole('link', { name: t('Forgot password?') }).click()
      await field('Email').fill(ann.email)
      await field('Email').press('Enter')
      await expect(toast('Code has been sent to {email}', { email: ann.email })).toBeVisible()
      const letter = await mail.next()
      expect(letter.to).toEqual([ann.email])
      const code = codeIn(letter)
      const send = page.getByRole('button', { name: t('Send code') })
      const wait = page.getByRole('timer').filter({ hasText: /\d/ })
      await expect(send).toBeDisabled()
      await expect(wait).toBeVisible()
      await page.reload()
      await expect(send).toBeDisabled()
      await expect(wait).toBeVisible()
      await expect(field('Email')).toHaveValue(ann.email)

      await field('Code').fill(wrong(code))
      await field('New password').fill('aaaaaaaaaa')
      await press('Change password')
      await expect(field('Code')).toBeFocused()
      await expect(field('Code')).toHaveAccessibleDescription(new RegExp(t('This code is wrong or no longer works')))
      await field('Code').fill(code)
      await press('Change password')
      await expect(field('New password')).toHaveAccessibleDescription(
        t('Password is not complex enough: use 4 different characters or more'),
      )
      await expect(field('New password')).toHaveValue('aaaaaaaaaa')
      expect(await axeFindings(page)).toEqual([])
      await field('New password').fill(passwords.second)
      await field('New password').press('Enter')
      await expect(page).toHaveURL('/ui/auth?recover=1')
      await expect(toast('Password has been changed')).toBeVisible()
      await expect(page.getByText(t('Sign in with the new password.'))).toBeVisible()

      const again = await page.request.post('/v1/password/reset', {
        data: { email: ann.email, code, password: 'once more please' },
        headers: { origin: server.address },
      })
      expect({ status: again.status(), ...(await again.json()) }).toEqual({ status: 400, code: 'UnknownLifetimeCode' })
      await visitor.signIn(ann.login, passwords.second)
      await expect(page).toHaveURL('/ui/streams')
      await elsewhere.page.goto('/ui/profile/me/info?from=before')
      await expect(elsewhere.page).toHaveURL('/ui/auth')
      await leave(visitor, elsewhere)
    })

    test('a new user: added, must choose a password, and is taken where they were going', async ({ browser }) => {
      const admin = await visit(browser)
      await admin.page.goto('/ui/administration/users')
      await admin.signIn(ann.login, passwords.second)
      await admin.page.getByRole('link', { name: t('Add user') }).click()
      await admin.press('Add')
      await expect(admin.field('Login')).toBeFocused()
      await expect(admin.field('Login')).toHaveAccessibleDescription(t('Fill this in'))
      await admin.field('Login').fill(bob.login)
      await admin.field('Email').fill(ann.email)
      await admin.field('Password').fill(bob.login)
      await expect(admin.page.getByText(t('Too short: use 8 characters or more'))).toBeVisible()
      await admin.field('Password').fill(passwords.given)
      await admin.field('Max streams').fill('0')
      await admin.press('Add')
      await expect(admin.field('Email')).toBeFocused()
      await expect(admin.field('Email')).toHaveAccessibleDescription(new RegExp(t('Already used')))
      await admin.field('Email').fill(bob.email)
      await admin.press('Add')
      await expect(admin.toast('The user has been added')).toBeVisible()
      await expect(admin.page).toHaveURL('/ui/user/bob/info')

      const visitor = await visit(browser)
      const { page, field, press, toast } = visitor
      await page.goto('/ui/help?topic=keys')
      await visitor.signIn(bob.login, passwords.given)
      await expect(page).toHaveURL('/ui/profile/me/edit')
      await expect(
        page.getByText(
          t('Your password was set by somebody else. Set your own to continue; the requested page opens afterwards.'),
        ),
      ).toBeVisible()
      await page.goto('/ui/streams')
      await expect(page).toHaveURL('/ui/profile/me/edit')
      await field('New password').fill(passwords.own)
      await press('Save')
      await expect(field('Old password')).toBeFocused()
      await field('Old password').fill('not this one')
      await press('Save')
      await expect(field('Old password')).toHaveAccessibleDescription(t('Invalid old password'))
      await field('Old password').fill(passwords.given)
      await field('New password').fill(passwords.given)
      await press('Save')
      await expect(field('New password')).toHaveAccessibleDescription(t('Old password and new password cannot be same'))
      expect(await axeFindings(page)).toEqual([])
      await field('New password').fill(passwords.own)
      await press('Save')
      await expect(toast('Profile has been updated')).toBeVisible()
      await expect(page).toHaveURL('/ui/help?topic=keys')
      await leave(admin, visitor)
    })

    test(
      'who may only watch is shown nothing to add or administer, and the server refuses it all the same',
      { tag: '@long' },
      async ({ browser }) => {
        const visitor = await visit(browser)
        const { page } = visitor
        await page.goto('/ui/')
        await visitor.signIn(bob.login, passwords.own)
        await expect(page.getByRole('heading', { name: t('No streams yet') })).toBeVisible()
        await expect(page.getByRole('link', { name: t('Add stream') })).toHaveCount(0)
        await page.getByRole('button', { name: t('Menu') }).click()
        await expect(page.getByRole('menuitem', { name: t('Profile') })).toBeVisible()
        for (const name of ['Administration', 'API documentation'])
          await expect(page.getByRole('menuitem', { name: t(name), exact: true })).toHaveCount(0)
        await page.keyboard.press('Escape')
        for (const path of [
          '/ui/administration/users',
          '/ui/user/ann/edit',
          '/ui/user/add',
          '/ui/administration/config',
        ]) {
          await page.goto(path)
          await expect(page.getByRole('heading', { name: t("You don't have access") })).toBeVisible()
        }
        const asked = await Promise.all([
          page.request.get('/v1/users'),
          page.request.get('/v1/admin/configuration'),
          page.request.post('/v1/stream', {
            data: { name: 'x', streamSource: 'rtsp://192.0.2.1/x' },
            headers: { origin: server.address },
          }),
        ])
        expect(asked.map((answer) => answer.status())).toEqual([403, 403, 403])
        await leave(visitor)
      },
    )

    test('a token: created, shown once, used as the page says, deleted', { tag: '@long' }, async ({ browser }) => {
      const visitor = await visit(browser)
      const { page, field, press } = visitor
      await page.goto('/ui/profile/me/tokens')
      await visitor.signIn(ann.login, passwords.second)
      await press('Create token')
      await field('Name').fill('backup')
      await field('Expires').selectOption('date')
      await page.getByRole('button', { name: t('Choose a day') }).click()
      await page
        .getByRole('gridcell', { disabled: false })
        .getByRole('button')
        .or(page.getByRole('gridcell', { disabled: false }))
        .last()
        .click()
      await expect(field('Last day')).toHaveValue(/^\d{4}-\d\d-\d\d$/)
      await press('Create')
      const region = page.getByRole('region', { name: t('The new token') })
      await expect(region).toBeFocused()
      await expect(region.locator('code')).toHaveCount(2)
      expect(await axeFindings(page)).toEqual([])
      const [token = '', command = ''] = await region.locator('code').allTextContents()
      expect(token).toMatch(/^sl_/)
      expect(await asProgram(command, token)).toBe(200)
      await page.reload()
      await expect(page.getByText('backup')).toBeVisible()
      await expect(page.getByText(token)).toHaveCount(0)
      await press('Delete {name}', { name: 'backup' })
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: t('Delete') })
        .click()
      await expect(visitor.toast('The token has been deleted')).toBeVisible()
      expect(await asProgram(command, token)).toBe(401)
      await leave(visitor)
    })

    test(
      'sessions: in words, one ended, all others ended, and back on the same page after signing in',
      { tag: '@long' },
      async ({ browser }) => {
        const visitor = await visit(browser)
        const phone = await visit(browser, {
          userAgent:
            'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
        })
        const { page, press } = visitor
        await phone.page.goto('/ui/')
        await phone.signIn(bob.login, passwords.own)
        await expect(phone.page).toHaveURL('/ui/streams')
        await page.goto('/ui/profile/me/sessions')
        await visitor.signIn(bob.login, passwords.own)
        const rows = page.getByRole('list', { name: t('Sessions') }).getByRole('listitem')
        await expect(rows.first()).toContainText(t('This session'))
        const device = t('{browser} on {system}', { browser: 'Safari 18', system: 'iOS' })
        await expect(rows.filter({ hasText: device })).toHaveCount(1)
        expect(await axeFindings(page)).toEqual([])
        await press('End {name}', { name: device })
        await page
          .getByRole('alertdialog')
          .getByRole('button', { name: t('End session') })
          .click()
        await expect(visitor.toast('The session has ended')).toBeVisible()
        await expect(rows.filter({ hasText: device })).toHaveCount(0)

        await phone.page.goto('/ui/bookmarks?from=phone')
        await expect(phone.page).toHaveURL('/ui/auth')
        await phone.signIn(bob.login, passwords.own)
        await expect(phone.page).toHaveURL('/ui/bookmarks?from=phone')
        await page.reload()
        await expect(rows.filter({ hasText: device })).toHaveCount(1)
        await press('End all others')
        await page
          .getByRole('alertdialog')
          .getByRole('button', { name: t('End all others') })
          .click()
        await expect(rows).toHaveCount(1)
        await leave(visitor, phone)
      },
    )

    test('a session that ends in the middle of a form loses nothing typed, and keeps no password', async ({
      browser,
    }) => {
      const visitor = await visit(browser)
      const { page, field, press } = visitor
      await page.goto('/ui/profile/me/edit')
      await visitor.signIn(bob.login, passwords.own)
      await field('Full name').fill('Robert')
      await field('Old password').fill(passwords.own)
      await field('New password').fill('secret to nobody')
      await page.context().clearCookies()
      await press('Save')
      await expect(page).toHaveURL('/ui/auth')
      expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
        'secret to nobody',
      )
      await visitor.signIn(bob.login, passwords.own)
      await expect(page).toHaveURL('/ui/profile/me/edit')
      await expect(field('Full name')).toHaveValue('Robert')
      await expect(field('New password')).toHaveValue('')
      await expect(page.getByText(t('Your unsaved input was restored; passwords are never stored.'))).toBeVisible()
      await press('Save')
      await expect(visitor.toast('Profile has been updated')).toBeVisible()
      expect(await page.evaluate(() => sessionStorage.getItem('unsaved'))).toBe(null)
      await leave(visitor)
    })

    test('nothing typed is left behind unasked: by a link, by going back, by logging out, by reloading', async ({
      browser,
    }) => {
      const visitor = await visit(browser)
      const { page, field } = visitor
      await page.goto('/ui/user/bob/edit')
      await visitor.signIn(ann.login, passwords.second)
      await field('Full name').fill('Somebody')
      const question = page.getByRole('alertdialog', { name: t('Leave without saving?') })
      const stay = async () => {
        await question.getByRole('button', { name: t('Cancel') }).click()
        await expect(question).toHaveCount(0)
        await expect(field('Full name')).toHaveValue('Somebody')
      }
      await page
        .getByRole('navigation', { name: t('Toolbar') })
        .getByRole('link', { name: t('All streams') })
        .click()
      await stay()
      await visitor.choose('Log out')
      await stay()
      const asked = page.waitForEvent('dialog')
      await page.evaluate(() => void setTimeout(() => location.reload()))
      const dialog = await asked
      expect(dialog.type()).toBe('beforeunload')
      await dialog.dismiss()
      await expect(field('Full name')).toHaveValue('Somebody')
      await visitor.choose('Log out')
      await question.getByRole('button', { name: t('Leave') }).click()
      await expect(page).toHaveURL('/ui/auth')
      await visitor.signIn(ann.login, passwords.second)
      await expect(page).toHaveURL('/ui/streams')
      await page.goto('/ui/user/bob/edit')
      await expect(field('Full name')).toHaveValue('Robert')
      await leave(visitor)
    })

    test(
      'users: found, edited, blocked at once, let in again, deleted; the last administrator stays',
      { tag: '@long' },
      async ({ browser }) => {
        const admin = await visit(browser)
        const { page, field, press, toast } = admin
        const blocked = await visit(browser)
        await blocked.page.goto('/ui/')
        await blocked.signIn(bob.login, passwords.own)
        await expect(blocked.page).toHaveURL('/ui/streams')

        await page.goto('/ui/administration/users')
        await admin.signIn(ann.login, passwords.second)
        await page.getByRole('searchbox', { name: t('Search users') }).fill('ROBERT')
        await page.getByRole('link', { name: bob.login, exact: true }).click()
        await press('Block')
        await page
          .getByRole('alertdialog', { name: t('Block {login}?', { login: bob.login }) })
          .getByRole('button', { name: t('Block') })
          .click()
        await expect(toast('The user has been blocked')).toBeVisible()
        await blocked.page.goto('/ui/profile/me/info')
        await expect(blocked.page).toHaveURL('/ui/auth')
        await blocked.signIn(bob.login, passwords.own)
        await expect(blocked.toast('Incorrect login or password')).toBeVisible()
        await expect(blocked.field('Login')).toHaveValue(bob.login)
        await press('Unblock')
        await expect(toast('The user may sign in again')).toBeVisible()
        await blocked.signIn(bob.login, passwords.own)
        await expect(blocked.page).toHaveURL('/ui/profile/me/info')

        await page
          .getByRole('navigation', { name: t('Toolbar') })
          .getByRole('link', { name: t('Sessions') })
          .click()
        await expect(page.getByRole('list', { name: t('Sessions') }).getByRole('listitem')).toHaveCount(1)
        await page
          .getByRole('navigation', { name: t('Toolbar') })
          .getByRole('link', { name: t('Edit'), exact: true })
          .click()
        await field('Login').fill('robert')
        await field('Role').selectOption('admin')
        await press('Save')
        await expect(page).toHaveURL('/ui/user/robert/edit')
        await expect(toast('The user has been saved')).toBeVisible()
        await field('Role').selectOption('user')
        await press('Save')
        await expect(toast('The user has been saved').first()).toBeVisible()

        await page.goto('/ui/user/ann/edit')
        await expect(field('Role')).toBeDisabled()
        await expect(field('Role')).toHaveAccessibleDescription(
          t('You are the only administrator: make somebody else an administrator first.'),
        )
        await page.goto('/ui/user/ann/info')
        await expect(page.getByRole('button', { name: t('Delete') })).toHaveCount(0)

        await page.goto('/ui/user/robert/info')
        await press('Delete')
        await expect(page.getByRole('alertdialog')).toBeVisible()
        expect(await axeFindings(page)).toEqual([])
        await page
          .getByRole('alertdialog')
          .getByRole('button', { name: t('Delete') })
          .click()
        await expect(toast('The user has been deleted')).toBeVisible()
        await expect(page).toHaveURL('/ui/administration/users')
        await expect(
          page
            .getByRole('table', { name: t('Users') })
            .locator('tbody')
            .getByRole('row'),
        ).toHaveCount(1)
        await leave(admin, blocked)
      },
    )
  })
}

interface VisitorOptions {
  baseURL: string
  locale: string
  colorScheme: 'dark' | 'light'
  viewport: { width: number; height: number }
  ip: string
  userAgent?: string
}

async function newVisitor(browser: Browser, t: Words, { ip, ...options }: VisitorOptions): Promise<Visitor> {
  const context = await browser.newContext({
    ...options,
    timezoneId: 'Europe/Berlin',
    extraHTTPHeaders: { 'x-forwarded-for': ip },
  })
  const page = await context.newPage()
  const problems = problemsOf(page, failedRequests)
  const field = (message: string) => page.getByLabel(t(message), { exact: true })
  const press: Visitor['press'] = (message, values) =>
    page.getByRole('button', { name: t(message, values), exact: true }).click()
  return {
    page,
    context,
    problems,
    field,
    press,
    toast: (message, values) => page.getByRole('region', { name: t('Notifications') }).getByText(t(message, values)),
    signIn: async (login, password) => {
      await field('Login').fill(login)
      await field('Password').fill(password)
      await press('Sign in')
    },
    choose: async (message) => {
      await press('Menu')
      await page.getByRole('menuitem', { name: t(message), exact: true }).click()
    },
  }
}

async function leave(...visitors: readonly Visitor[]): Promise<void> {
  for (const { context, problems } of visitors) {
    expect(problems).toEqual([])
    await context.close()
  }
}

const wrong = (code: string): string => (code === '00000000' ? '00000001' : '00000000')

/**
 * Runs the command that the page shows, `curl -H "Authorization: Bearer $TOKEN" address`; answers the status.
 */
async function asProgram(command: string, token: string): Promise<number> {
  const [, name = '', value = '', address = ''] = /^curl -H "([\w-]+): ([^"]+)" (\S+)$/.exec(command) ?? []
  const answer = await fetch(address, { headers: { [name]: value.replace('$TOKEN', token) } })
  return answer.status
}
