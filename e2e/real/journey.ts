import { type Browser, type BrowserContext, type Locator, type Page, expect } from 'playwright/test'
import { problemsOf } from '../problems.ts'
import { axeFindings } from '../axe.ts'
import { type Language, type Words, wordsOf } from './words.ts'

/** Each journey of a feature is made in both looks. */
export const looks = [
  { language: 'en', locale: 'en-GB', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { language: 'ru', locale: 'ru-RU', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const satisfies { language: Language; [option: string]: unknown }[]

export type Look = (typeof looks)[number]

/** A browser of one person. */
export interface Visit {
  context: BrowserContext
  page: Page
  /** Translates an English message. */
  t: Words
  field: (name: string) => Locator
  press: (name: string, values?: Parameters<Words>[1]) => Promise<void>
  signIn: (login: string, password: string) => Promise<void>
  /** Fails if the browser's console showed errors or warnings beyond the expected ones. */
  expectNoProblems: () => void
  /** The same, and fails if axe finds something. */
  expectClean: () => Promise<void>
}

/** `expected`: messages that the browser's console may show, by default about calls before the sign-in. */
export async function visit(
  browser: Browser,
  baseURL: string,
  { language, ...look }: Look,
  expected = /status of 401/,
): Promise<Visit> {
  const context = await browser.newContext({ baseURL, ...look })
  const page = await context.newPage()
  const problems = problemsOf(page, expected)
  const t = wordsOf(language)
  const field = (name: string) => page.getByLabel(t(name), { exact: true })
  const expectNoProblems = () => expect(problems).toEqual([])
  const press: Visit['press'] = (name, values) =>
    page.getByRole('button', { name: t(name, values), exact: true }).click()
  return {
    context,
    page,
    t,
    field,
    press,
    async signIn(login, password) {
      await page.goto('/ui/auth')
      await field('Login').fill(login)
      await field('Password').fill(password)
      await press('Sign in')
      await expect(page).toHaveURL('/ui/streams')
    },
    expectNoProblems,
    async expectClean() {
      expect(await axeFindings(page)).toEqual([])
      expectNoProblems()
    },
  }
}

/** Presses a button of the player, which is in a menu where the picture is narrow. */
export async function pressTool({ page, t }: Pick<Visit, 'page' | 't'>, name: string): Promise<void> {
  const player = page.getByRole('region', { name: t('Player') })
  const button = (words: string) => player.getByRole('button', { name: t(words), exact: true })
  if ((page.viewportSize()?.width ?? 0) > 615) return button(name).click()
  await button('Show more').click()
  await page.getByRole('menuitem', { name: t(name), exact: true }).click()
}
